package dev.toolgate.runtime.sandbox.command.bubblewrap;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for a condition, with a generous time-out because tests share their machine. */
final class Waiting {
    private Waiting() {}

    static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }
}
