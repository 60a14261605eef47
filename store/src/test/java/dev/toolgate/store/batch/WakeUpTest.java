package dev.toolgate.store.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WakeUpTest {
    private final WakeUp wakeUp = new WakeUp();

    @Test
    void the_next_batch_starts_after_the_callers_have_been_woken() {
        AtomicInteger woken = new AtomicInteger();
        int batches = 500;
        int early = 0;
        for (int batch = 1; batch <= batches; batch++) {
            wakeUp.callers(2, woken::incrementAndGet);
            wakeUp.awaitTurn(() -> 1);
            early += woken.get() < batch ? 1 : 0;
        }

        // A thread that gets no processor for longer than the maximum is not awaited.
        assertThat(early).isLessThan(batches / 2);
        Awaitility.await().until(() -> woken.get() == batches);
    }

    @Test
    @Timeout(20)
    void callers_that_cannot_be_woken_do_not_stop_the_batches() {
        CountDownLatch blocked = new CountDownLatch(1);
        wakeUp.callers(2, () -> awaitQuietly(blocked));

        wakeUp.awaitTurn(() -> 1);

        assertThat(blocked.getCount()).isEqualTo(1);
        blocked.countDown();
    }

    @Test
    @Timeout(20)
    void a_batch_as_large_as_the_last_starts_at_once() {
        CountDownLatch blocked = new CountDownLatch(1);
        wakeUp.callers(2, () -> awaitQuietly(blocked));

        for (int i = 0; i < 10_000; i++) { // each wait would take ten milliseconds
            wakeUp.awaitTurn(() -> 2);
        }

        assertThat(blocked.getCount()).isEqualTo(1);
        blocked.countDown();
    }

    @Test
    void a_single_caller_is_woken_by_the_writer_itself() {
        Thread[] woken = new Thread[1];

        wakeUp.callers(1, () -> woken[0] = Thread.currentThread());

        assertThat(woken[0]).isSameAs(Thread.currentThread());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
