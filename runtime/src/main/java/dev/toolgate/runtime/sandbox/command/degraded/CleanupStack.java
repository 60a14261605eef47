package dev.toolgate.runtime.sandbox.command.degraded;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resources of a command that is being started; closes them in reverse order if a later step fails. A failure to close
 * one stops none of the rest.
 */
final class CleanupStack implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
        IllegalStateException failed = null;
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                if (failed == null) {
                    failed = new IllegalStateException(
                            "A resource of a command that failed to start could not be closed", e);
                } else {
                    failed.addSuppressed(e);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
