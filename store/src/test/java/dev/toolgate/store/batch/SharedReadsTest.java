package dev.toolgate.store.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SharedReadsTest {
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger questions = new AtomicInteger();

    @AfterEach
    void close() {
        callers.shutdownNow();
    }

    @Test
    void callers_that_arrive_during_a_query_share_the_next_one() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        SharedReads<Integer, String> reads = new SharedReads<>(BatchPace.unlimited(), keys -> {
            if (questions.incrementAndGet() == 1) {
                awaitUninterrupted(first);
            }
            return texts(keys);
        });
        Future<Optional<String>> leader = callers.submit(() -> reads.read(0));
        await().until(() -> questions.get() == 1);
        AtomicInteger came = new AtomicInteger();
        List<Future<Optional<String>>> others = IntStream.range(1, 101)
                .mapToObj(key -> callers.submit(() -> {
                    came.incrementAndGet();
                    return reads.read(key % 10);
                }))
                .toList();
        await().until(() -> came.get() == 100);
        first.countDown();

        assertThat(leader.get()).contains("0");
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i).get()).contains(String.valueOf((i + 1) % 10));
        }
        assertThat(questions.get()).isLessThan(20); // some may arrive just after the shared query started
    }

    @Test
    void results_never_come_from_a_query_started_before_the_caller() throws Exception {
        Semaphore steps = new Semaphore(0);
        AtomicInteger value = new AtomicInteger(1);
        SharedReads<String, Integer> reads = new SharedReads<>(BatchPace.unlimited(), keys -> {
            int seen = value.get();
            questions.incrementAndGet();
            steps.acquireUninterruptibly();
            return Map.of("session", seen);
        });
        Future<Optional<Integer>> before = callers.submit(() -> reads.read("session"));
        await().until(() -> questions.get() == 1);
        value.set(2);
        Future<Optional<Integer>> after = callers.submit(() -> reads.read("session"));
        steps.release(2);

        assertThat(before.get()).contains(1);
        assertThat(after.get()).contains(2);
    }

    @Test
    void a_key_that_breaks_the_query_fails_only_itself() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        SharedReads<Integer, String> reads = new SharedReads<>(BatchPace.unlimited(), keys -> {
            if (questions.incrementAndGet() == 1) {
                awaitUninterrupted(first);
            }
            if (keys.contains(13)) {
                throw new IllegalArgumentException("unreadable");
            }
            return texts(keys);
        });
        List<Future<Optional<String>>> all = new ArrayList<>();
        for (int key = 0; key < 20; key++) {
            int wanted = key;
            all.add(callers.submit(() -> reads.read(wanted)));
        }
        first.countDown();

        for (int key = 0; key < 20; key++) {
            if (key != 13) {
                assertThat(all.get(key).get()).contains(String.valueOf(key));
            }
        }
        assertThatThrownBy(() -> all.get(13).get())
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("unreadable");
    }

    @Test
    void an_unreachable_database_is_queried_only_once() {
        SharedReads<Integer, String> reads = new SharedReads<>(BatchPace.unlimited(), _ -> {
            questions.incrementAndGet();
            throw new Unavailable("The database cannot be reached now; try again shortly.", null);
        });

        assertThatThrownBy(() -> reads.read(1)).isInstanceOf(Unavailable.class);
        assertThat(questions).hasValue(1);
    }

    @Test
    @Timeout(60)
    void a_single_caller_does_not_wait_for_the_interval() {
        BatchPace hourly = BatchPace.of(() -> Duration.ofHours(1));

        assertThat(new SharedReads<Integer, String>(hourly, SharedReadsTest::texts).read(7))
                .contains("7");
    }

    @Test
    @Timeout(60)
    void callers_that_arrive_before_the_next_query_may_start_share_it() throws Exception {
        CountDownLatch mayStart = new CountDownLatch(1);
        AtomicReference<Runnable> beforeQuery = new AtomicReference<>(() -> {});
        BatchPace pace = BatchPace.of(() -> {
            beforeQuery.get().run();
            return Duration.ZERO;
        });
        SharedReads<Integer, String> reads = new SharedReads<>(pace, keys -> {
            questions.incrementAndGet();
            return texts(keys);
        });
        beforeQuery.set(() -> awaitUninterrupted(mayStart));
        Map<Integer, String> answers = new ConcurrentHashMap<>();
        List<Thread> waiting = IntStream.range(0, 10)
                .mapToObj(key -> Thread.startVirtualThread(
                        () -> answers.put(key, reads.read(key).orElseThrow())))
                .toList();
        await().until(() -> waiting.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        mayStart.countDown();

        for (Thread thread : waiting) {
            thread.join();
        }
        assertThat(answers).hasSize(10).containsEntry(3, "3");
        assertThat(questions).hasValue(1);
    }

    @Test
    void a_missing_value_is_empty() {
        assertThat(new SharedReads<Integer, String>(BatchPace.unlimited(), _ -> Map.of()).read(1))
                .isEmpty();
    }

    private static Map<Integer, String> texts(Collection<Integer> keys) {
        Map<Integer, String> texts = new HashMap<>();
        keys.forEach(key -> texts.put(key, String.valueOf(key)));
        return texts;
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
