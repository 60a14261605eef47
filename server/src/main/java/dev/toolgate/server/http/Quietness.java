package dev.toolgate.server.http;

import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.util.Attributes;

/** Since when a connection has had no whole request. */
final class Quietness {
    private static final String ATTRIBUTE = Quietness.class.getName();
    private static final long BUSY = 0;

    private final AtomicLong since = new AtomicLong();

    private Quietness() {
        begins();
    }

    /** The quietness of a connection. */
    static Quietness of(Attributes connection) {
        if (connection.getAttribute(ATTRIBUTE) instanceof Quietness known) {
            return known;
        }
        Quietness fresh = new Quietness();
        connection.setAttribute(ATTRIBUTE, fresh);
        return fresh;
    }

    void begins() {
        since.set(System.nanoTime() | 1);
    }

    void ends() {
        since.set(BUSY);
    }

    boolean isLongerThan(long nanoseconds) {
        long begin = since.get();
        return begin != BUSY && System.nanoTime() - begin > nanoseconds;
    }
}
