package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.EventStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The requests under way: no more than agreed, and all known by name when the server stops. */
public final class RunningRequests {
    private final int mostRequests;
    private final Set<InFlight> running = ConcurrentHashMap.newKeySet();
    private final SharedPlaces eventStreams;
    private volatile boolean stopping;

    public RunningRequests(HttpSettings settings) {
        mostRequests = settings.mostRequests();
        eventStreams = new SharedPlaces(settings.mostEventStreams());
    }

    /** Counts a request in, or refuses it. */
    public void enter(InFlight request) {
        running.add(request);
        if (stopping) {
            throw HttpFailure.unavailable("The server is stopping.");
        }
        if (running.size() - eventStreams.count() > mostRequests) {
            throw HttpFailure.unavailable("The server is answering as many requests as it can.");
        }
    }

    /** Counts it as an event stream from now on, or refuses it. */
    public void enter(InFlight request, EventStream stream, TenantId tenant) {
        switch (eventStreams.enter(tenant)) {
            case ADMITTED -> request.sends(stream, tenant);
            case FULL -> throw HttpFailure.unavailable("The server has as many event streams open as it can.");
            case SHARE_USED_UP ->
                throw HttpFailure.unavailable("The tenant has as many event streams open as one may have, which is "
                        + eventStreams.mostOfOne() + "; close one first.");
        }
        if (stopping) {
            stream.end();
        }
    }

    /** Counts a request out; whether it was still in. */
    boolean leave(InFlight request) {
        if (!running.remove(request)) {
            return false;
        }
        TenantId listening = request.listening();
        if (listening != null) {
            eventStreams.leave(listening);
        }
        if (stopping) {
            synchronized (this) {
                notifyAll();
            }
        }
        return true;
    }

    /** Takes no more, and ends event streams. */
    public void beginStopping() {
        stopping = true;
        running.forEach(InFlight::endEvents);
    }

    public void interruptAll() {
        running.forEach(InFlight::interrupt);
    }

    /** Waits until none is left, or for so long. */
    public synchronized void awaitNone(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = longest.toMillis();
        while (!running.isEmpty() && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }
}
