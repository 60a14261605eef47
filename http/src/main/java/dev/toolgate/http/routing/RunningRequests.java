package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.EndableStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Tracks and limits running requests, so that all can be ended when the server stops. */
public final class RunningRequests {
    private final int maxRequests;
    private final Set<InFlight> running = ConcurrentHashMap.newKeySet();
    private final TenantPermits eventStreams;
    private volatile boolean stopping;

    public RunningRequests(HttpSettings settings) {
        maxRequests = settings.maxRequests();
        eventStreams = new TenantPermits(settings.maxEventStreams());
    }

    /** Admits a request, or refuses it. */
    public void enter(InFlight request) {
        running.add(request);
        if (stopping) {
            throw HttpFailure.unavailable("The server is stopping.");
        }
        if (running.size() - eventStreams.count() > maxRequests) {
            throw HttpFailure.unavailable("The server is at its limit of concurrent requests.");
        }
    }

    /** Admits a request as an event stream, or refuses it. */
    public void enter(InFlight request, EndableStream stream, TenantId tenant) {
        switch (eventStreams.acquire(tenant)) {
            case ADMITTED -> request.sends(stream, tenant);
            case FULL -> throw HttpFailure.unavailable("The server is at its limit of open event streams.");
            case SHARE_USED_UP ->
                throw HttpFailure.unavailable("The tenant is at its limit of open event streams, which is "
                        + eventStreams.maxPerTenant() + "; close one first.");
        }
        if (stopping) {
            stream.end();
        }
    }

    /** Removes a request; false if it was removed before. */
    boolean leave(InFlight request) {
        if (!running.remove(request)) {
            return false;
        }
        TenantId listening = request.listening();
        if (listening != null) {
            eventStreams.release(listening);
        }
        if (stopping) {
            synchronized (this) {
                notifyAll();
            }
        }
        return true;
    }

    /** Refuses new requests and ends event streams. */
    public void beginStopping() {
        stopping = true;
        running.forEach(InFlight::endEvents);
    }

    public void interruptAll() {
        running.forEach(InFlight::interrupt);
    }

    /** Waits until none is left, up to the time-out. */
    public synchronized void awaitNone(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        long left = timeout.toMillis();
        while (!running.isEmpty() && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }
}
