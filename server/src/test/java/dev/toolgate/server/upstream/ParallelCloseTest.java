package dev.toolgate.server.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParallelCloseTest {
    private final AtomicInteger closed = new AtomicInteger();
    private final CountDownLatch answer = new CountDownLatch(1);

    private void hang() {
        try {
            answer.await();
            closed.incrementAndGet();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void one_that_hangs_or_fails_does_not_stop_the_others() {
        List<Runnable> closings = List.of(
                this::hang,
                () -> {
                    throw new IllegalStateException("This one fails.");
                },
                closed::incrementAndGet,
                closed::incrementAndGet);

        long left = ParallelClose.run(closings, Duration.ofMillis(200));

        assertThat(left).isPositive();
        await().until(() -> closed.get() == 2);
        answer.countDown();
        await().until(() -> closed.get() == 3);
    }

    @Test
    void hundreds_that_hang_are_left_after_one_timeout() {
        List<Runnable> closings = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            closings.add(this::hang);
        }

        assertThat(ParallelClose.run(closings, Duration.ofMillis(50))).isEqualTo(500);

        answer.countDown();
        await().until(() -> closed.get() == 500);
    }
}
