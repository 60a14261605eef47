package dev.toolgate.http.routing;

import org.eclipse.jetty.util.Attributes;

/** Since when a connection has had no whole request. With HTTP/2 it may have several at once. */
public final class Quietness {
    private static final String ATTRIBUTE = Quietness.class.getName();
    private static final long BUSY = 0;

    private int running;
    private long since = now();

    private Quietness() {}

    /** The quietness of a connection. */
    public static Quietness of(Attributes connection) {
        synchronized (connection) { // the first requests of a connection may come together
            if (connection.getAttribute(ATTRIBUTE) instanceof Quietness known) {
                return known;
            }
            Quietness fresh = new Quietness();
            connection.setAttribute(ATTRIBUTE, fresh);
            return fresh;
        }
    }

    /** A request is over. */
    synchronized void begins() {
        running--;
        if (running == 0) {
            since = now();
        }
    }

    /** A whole request has arrived. */
    synchronized void ends() {
        running++;
        since = BUSY;
    }

    public synchronized boolean isLongerThan(long nanoseconds) {
        return since != BUSY && System.nanoTime() - since > nanoseconds;
    }

    private static long now() {
        return System.nanoTime() | 1;
    }
}
