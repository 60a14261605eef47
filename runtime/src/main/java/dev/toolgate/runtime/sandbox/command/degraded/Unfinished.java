package dev.toolgate.runtime.sandbox.command.degraded;

import java.util.ArrayDeque;
import java.util.Deque;

/** The parts of a command that is being started, to be undone in reverse if a later one fails. */
final class Unfinished implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException("A command that failed to start could not be undone", e);
            }
        }
    }
}
