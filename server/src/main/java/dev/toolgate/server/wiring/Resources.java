package dev.toolgate.server.wiring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been opened, to be closed the other way round, each whatever became of the others. */
final class Resources implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Resources.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Notes something to be closed. */
    synchronized <T extends AutoCloseable> T after(T opened) {
        open.push(opened);
        return opened;
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failed) {
                LOG.warn("Something could not be closed: {}", failed.getMessage());
            }
        }
    }
}
