package dev.toolgate.http.routing;

import org.eclipse.jetty.util.Attributes;

/** Tracks since when a connection has had no complete request. With HTTP/2 it may have several at once. */
public final class ConnectionIdleness {
    private static final String ATTRIBUTE = ConnectionIdleness.class.getName();
    private static final long BUSY = 0;

    private int running;
    private long since = now();

    private ConnectionIdleness() {}

    /** The idleness of a connection. */
    public static ConnectionIdleness of(Attributes connection) {
        synchronized (connection) { // the first requests of a connection may be concurrent
            if (connection.getAttribute(ATTRIBUTE) instanceof ConnectionIdleness known) {
                return known;
            }
            ConnectionIdleness fresh = new ConnectionIdleness();
            connection.setAttribute(ATTRIBUTE, fresh);
            return fresh;
        }
    }

    /** A request ended. */
    synchronized void requestEnded() {
        running--;
        if (running == 0) {
            since = now();
        }
    }

    /** A request's headers have arrived. */
    synchronized void requestBegan() {
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
