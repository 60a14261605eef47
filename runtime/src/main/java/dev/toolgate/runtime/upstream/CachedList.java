package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.transport.McpFailure;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** A list of a server, fetched on demand and cached for a minute or until the server reports a change. */
final class CachedList {
    private static final Logger LOG = LoggerFactory.getLogger(CachedList.class);
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Fetches the list. */
    @FunctionalInterface
    interface Source {
        List<ObjectNode> fetch() throws McpFailure;
    }

    private final Upstream upstream;
    private final Source source;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable List<ObjectNode> last;
    private volatile long fetchedNanos;
    private volatile boolean stale = true;

    CachedList(Upstream upstream, Source source) {
        this.upstream = upstream;
        this.source = source;
    }

    /** The same as {@link #get}, but empty if the list was never fetched. */
    List<ObjectNode> getIfKnown() throws InterruptedException {
        return last == null ? List.of() : get();
    }

    /** Marks the cached list as stale. */
    void invalidate() {
        stale = true;
    }

    /** The current list, or the last one while the server is not connected; empty if there never was one. */
    List<ObjectNode> get() throws InterruptedException {
        List<ObjectNode> known = last;
        if (known != null && (isFresh() || !(upstream.state() instanceof UpstreamState.Connected))) {
            return known;
        }
        fetching.lockInterruptibly();
        try {
            known = last;
            if (known == null || !isFresh()) {
                stale = false; // before fetching, so that a change during the fetch is not lost
                known = List.copyOf(source.fetch());
                last = known;
                fetchedNanos = System.nanoTime();
            }
            return known;
        } catch (McpFailure failed) {
            stale = true;
            LOG.debug(
                    "A list of MCP server '{}' cannot be read: {}",
                    upstream.settings().name(),
                    failed.getMessage());
            return known == null ? List.of() : known;
        } finally {
            fetching.unlock();
        }
    }

    private boolean isFresh() {
        return !stale && System.nanoTime() - fetchedNanos < KEPT_NANOS;
    }
}
