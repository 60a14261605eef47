package dev.toolgate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A promise to whoever asks: from a second after a change on, nobody who asks sees what was before. How long the
 * answer takes on a busy machine, or how late the test gets to ask, is no part of it; nor is an error, which shows
 * nobody anything.
 */
public final class WithinASecond {
    private WithinASecond() {}

    /** Asks until the answer is yes, which it is to every question that begins a second from now or later. */
    public static void holds(BooleanSupplier asked) {
        long second = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        await().ignoreExceptionsInstanceOf(Unavailable.class).until(() -> {
            boolean overdue = System.nanoTime() - second > 0;
            boolean yes = asked.getAsBoolean();
            assertThat(overdue && !yes)
                    .as("a question that began after a second saw what was before")
                    .isFalse();
            return yes;
        });
    }
}
