package dev.toolgate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Asserts that a change is visible to every query that starts at least a second after it. How long a
 * query takes on a busy machine, or when the test starts it, does not matter; errors are ignored, because they
 * do not show old data.
 */
public final class WithinASecond {
    private WithinASecond() {}

    /** Repeats a query until it is true, which it must be for every query that starts a second from now or later. */
    public static void holds(BooleanSupplier asked) {
        long second = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        await().ignoreExceptionsInstanceOf(Unavailable.class).until(() -> {
            boolean overdue = System.nanoTime() - second > 0;
            boolean yes = asked.getAsBoolean();
            assertThat(overdue && !yes)
                    .as("a query that started after a second saw old data")
                    .isFalse();
            return yes;
        });
    }
}
