package dev.toolgate.server.wiring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what was opened, in reverse order; a failure stops none of the rest. */
final class Resources implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Resources.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Registers what was opened, to be closed. */
    synchronized <T extends AutoCloseable> T register(T opened) {
        open.push(opened);
        return opened;
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failed) {
                LOG.warn("A resource could not be closed: {}", failed.getMessage());
            }
        }
    }
}
