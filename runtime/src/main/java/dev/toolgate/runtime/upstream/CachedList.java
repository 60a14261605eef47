package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.transport.McpFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list of a server, fetched on demand and cached until it is too old or the server reports a change. Callers often
 * need the lists of several servers, so none waits long for one that does not answer: the last list is served instead,
 * and the fetch goes on in the background.
 */
final class CachedList {
    private static final Logger LOG = LoggerFactory.getLogger(CachedList.class);

    /**
     * How long a list is used and waited for.
     *
     * @param fresh how old a list may be
     * @param maxWait how long callers wait for a fetch
     * @param retry how long after a failed fetch nothing is fetched, unless the server reports a change
     */
    record Times(Duration fresh, Duration maxWait, Duration retry) {
        static final Times DEFAULT = new Times(Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    /** Fetches the list. */
    @FunctionalInterface
    interface Source {
        List<ObjectNode> fetch() throws McpFailure;
    }

    /** A fetch in progress. */
    private static final class Fetch {
        private final CountDownLatch done = new CountDownLatch(1);
        private final long startedNanos = System.nanoTime();
        private boolean awaitedInVain; // somebody got the last list instead; guarded by the list
    }

    private final String server;
    private final Source source;
    private final BooleanSupplier connected;
    private final Times times;
    private final Runnable changed;
    private List<ObjectNode> last = List.of(); // guarded by this
    private boolean known; // guarded by this
    private boolean stale = true; // guarded by this
    private long fetchedNanos; // guarded by this
    private boolean failed; // whether the last fetch has; guarded by this
    private long failedNanos; // guarded by this
    private @Nullable Fetch running; // guarded by this

    /**
     * @param connected whether the server is; otherwise the last list is served
     * @param changed called after a fetch that somebody has not waited for, if its result is another list
     */
    CachedList(String server, Source source, BooleanSupplier connected, Times times, Runnable changed) {
        this.server = server;
        this.source = source;
        this.connected = connected;
        this.times = times;
        this.changed = changed;
    }

    /** Marks the cached list as stale. */
    synchronized void invalidate() {
        stale = true;
    }

    /** Lets the next caller fetch the list if that has failed, even just now; called when there is a new connection. */
    synchronized void retry() {
        if (failed) {
            failed = false;
            stale = true; // the failed fetch may have been for a change
        }
    }

    /** The last list, without waiting; empty if there never was one, and then none is fetched. */
    synchronized List<ObjectNode> getIfKnown() {
        if (known) {
            Fetch needed = neededFetch();
            if (needed != null) {
                needed.awaitedInVain = true;
            }
        }
        return last;
    }

    /** The current list; the last or an empty one if the server is not connected or does not answer soon. */
    List<ObjectNode> get() throws InterruptedException {
        Fetch needed;
        synchronized (this) {
            boolean mayWait = !hasJustFailed();
            needed = neededFetch();
            if (needed == null) {
                return last;
            }
            if (!mayWait) {
                needed.awaitedInVain = true;
                return last;
            }
        }
        long wait = needed.startedNanos + times.maxWait().toNanos() - System.nanoTime();
        boolean done = needed.done.await(wait, TimeUnit.NANOSECONDS);
        synchronized (this) {
            if (!done) {
                needed.awaitedInVain = true;
            }
            return last;
        }
    }

    /** The fetch in progress, or a new one; null if the last list is to be used. */
    private @Nullable Fetch neededFetch() {
        if (known && (isFresh() || !connected.getAsBoolean())) {
            return null;
        }
        if (running == null && (stale || !hasJustFailed())) {
            Fetch started = new Fetch();
            running = started;
            stale = false; // before fetching, so that a change during the fetch is not lost
            Thread.ofVirtual().name("toolgate-mcp-list").start(() -> run(started));
        }
        return running;
    }

    private boolean isFresh() {
        return !stale
                && !failed
                && System.nanoTime() - fetchedNanos < times.fresh().toNanos();
    }

    private boolean hasJustFailed() {
        return failed && System.nanoTime() - failedNanos < times.retry().toNanos();
    }

    private void run(Fetch fetch) {
        List<ObjectNode> found = null;
        try {
            found = List.copyOf(source.fetch());
        } catch (McpFailure unreadable) {
            LOG.debug("A list of MCP server '{}' cannot be read: {}", server, unreadable.getMessage());
        } catch (RuntimeException | Error unexpected) {
            LOG.error("A list of MCP server '{}' cannot be read", server, unexpected);
        }
        if (finish(fetch, found)) {
            changed.run();
        }
    }

    /** Keeps the result, null if there is none; true if somebody must be told that there is another list. */
    private synchronized boolean finish(Fetch fetch, @Nullable List<ObjectNode> found) {
        running = null;
        boolean isOther = stale; // it has changed again during the fetch
        if (found == null) {
            failed = true;
            failedNanos = System.nanoTime();
        } else {
            isOther |= !found.equals(last);
            last = found;
            known = true;
            failed = false;
            fetchedNanos = System.nanoTime();
        }
        fetch.done.countDown();
        return isOther && fetch.awaitedInVain;
    }
}
