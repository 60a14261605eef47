package dev.toolgate.store.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Unavailable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConnectionPermitsTest {
    private final ConnectionPermits permits = new ConnectionPermits(2, "rows");

    @Test
    void concurrent_queries_are_limited() throws Exception {
        AtomicInteger asking = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = IntStream.range(0, 100)
                    .mapToObj(i -> crowd.submit(() -> permits.withPermit(() -> {
                        most.accumulateAndGet(asking.incrementAndGet(), Math::max);
                        asking.decrementAndGet();
                        return i;
                    })))
                    .toList();
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).isEqualTo(i);
            }
        }
        assertThat(most).hasValueBetween(1, 2);
    }

    @Test
    void all_waiters_fail_together_when_no_permit_is_released() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            Semaphore begun = new Semaphore(0);
            for (int i = 0; i < 2; i++) {
                crowd.execute(() -> permits.withPermit(() -> {
                    begun.release();
                    return awaited(end);
                }));
            }
            begun.acquire(2);
            List<Future<String>> waiting = IntStream.range(0, 20)
                    .mapToObj(_ -> crowd.submit(() -> permits.withPermit(() -> "answered")))
                    .toList();
            await().until(() -> waiting.stream().allMatch(Future::isDone));
            assertThat(waiting).allSatisfy(one -> assertThatThrownBy(one::get)
                    .hasCauseInstanceOf(Unavailable.class)
                    .hasMessageContaining("Too many rows are being looked up"));
            end.countDown();
        }
        assertThat(permits.withPermit(() -> "again")).isEqualTo("again");
    }

    private static String awaited(CountDownLatch end) {
        try {
            end.await();
            return "ended";
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
