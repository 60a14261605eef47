package dev.toolgate.server.upstream;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.runtime.upstream.UpstreamState;
import dev.toolgate.store.upstream.PinnedDefinition;
import dev.toolgate.store.upstream.StoredServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** One registered server with its connection, and what it has offered since this process began to use it. */
final class LiveServer implements UpstreamListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveServer.class);

    /** How old a listing may be when one of its tools is called; servers need not tell that their tools change. */
    static final Duration MAX_AGE = Duration.ofMinutes(10);

    /** The tools as they were listed last, by name, with the hashes of their definitions. */
    private record Offered(Map<String, String> hashes, long atNanos) {}

    private final StoredServer stored;
    private final Upstream upstream;
    private final Function<List<ObjectNode>, List<PinnedDefinition>> reading;
    private final BiConsumer<LiveServer, List<PinnedDefinition>> listed;
    private final Runnable offerChanged;
    private final @Nullable AccountConnections accounts;
    private final ReentrantLock listing = new ReentrantLock();
    private volatile @Nullable Offered offered;
    /** A listing that could not be kept, because the database was away. */
    private volatile @Nullable List<PinnedDefinition> unkept;

    /**
     * @param open makes the connection, which tells this object what is listed
     * @param reading the definitions that can be kept, of those that were listed
     * @param listed gets every listing that differs from the last one
     * @param offerChanged told when prompts or resources of the server may be others
     * @param accounts the connections of users with accounts of their own; null if all use this one
     */
    LiveServer(
            StoredServer stored,
            Function<UpstreamListener, Upstream> open,
            Function<List<ObjectNode>, List<PinnedDefinition>> reading,
            BiConsumer<LiveServer, List<PinnedDefinition>> listed,
            Runnable offerChanged,
            @Nullable AccountConnections accounts) {
        this.stored = stored;
        this.reading = reading;
        this.listed = listed;
        this.offerChanged = offerChanged;
        this.accounts = accounts;
        this.upstream = open.apply(this);
    }

    StoredServer stored() {
        return stored;
    }

    Upstream upstream() {
        return upstream;
    }

    /** The connections of users with accounts of their own; null if all use this one. */
    @Nullable
    AccountConnections accounts() {
        return accounts;
    }

    UpstreamState state() {
        return upstream.state();
    }

    @Override
    public void toolsListed(List<ObjectNode> definitions) {
        List<PinnedDefinition> found = reading.apply(definitions);
        offered = new Offered(
                found.stream()
                        .collect(Collectors.toUnmodifiableMap(
                                PinnedDefinition::tool, PinnedDefinition::hash, (first, _) -> first)),
                System.nanoTime());
        unkept = found;
        try {
            keep();
        } catch (RuntimeException unavailable) {
            LOG.warn(
                    "The tools of MCP server '{}' could not be kept, which is tried again: {}",
                    stored.name(),
                    unavailable.toString());
        }
    }

    @Override
    public void promptsChanged() {
        offerChanged.run();
    }

    @Override
    public void resourcesChanged() {
        offerChanged.run();
    }

    // One at a time, so that an older listing is never kept after a newer one.
    private synchronized void keep() {
        List<PinnedDefinition> found = unkept;
        if (found != null) {
            listed.accept(this, found);
            unkept = null;
        }
    }

    /** Connects if needed and lists the tools again. */
    void refresh() throws McpFailure {
        listing.lock();
        try {
            upstream.refresh();
            keep();
            Offered last = offered;
            if (last != null) {
                offered = new Offered(last.hashes(), System.nanoTime());
            }
        } finally {
            listing.unlock();
        }
    }

    /**
     * Checks that the server offers a tool with the agreed definition, and asks it if that is not known.
     *
     * @throws ToolFailure if it does not, or cannot be asked
     */
    void requireOffered(String tool, String hash) throws ToolFailure, InterruptedException {
        Offered last = offered;
        if (last == null || System.nanoTime() - last.atNanos() > MAX_AGE.toNanos()) {
            last = listNow(last);
        }
        String now = last == null ? null : last.hashes().get(tool);
        if (now == null) {
            throw unusable(tool, "is no longer offered by its server");
        }
        if (!now.equals(hash)) {
            throw unusable(tool, "has changed at its server and waits for an administrator's agreement");
        }
    }

    private ToolFailure unusable(String tool, String why) {
        return new ToolFailure(
                ErrorCode.TOOL_NOT_FOUND, "Tool '" + stored.name() + "/" + tool + "' " + why + "; it was not run.");
    }

    // One caller asks for all who wait.
    private @Nullable Offered listNow(@Nullable Offered known) throws ToolFailure, InterruptedException {
        listing.lockInterruptibly();
        try {
            Offered meanwhile = offered;
            if (meanwhile != null && !meanwhile.equals(known)) {
                return meanwhile;
            }
            refresh();
            return offered;
        } catch (McpFailure unreachable) {
            throw new ToolFailure(
                    unreachable.kind() == McpFailureKind.UNAUTHORIZED
                            ? ErrorCode.CREDENTIALS_REFUSED
                            : ErrorCode.SERVICE_UNAVAILABLE,
                    "The MCP server '" + stored.name() + "' cannot be used now: " + unreachable.getMessage());
        } finally {
            listing.unlock();
        }
    }

    @Override
    public void close() {
        if (accounts != null) {
            accounts.close();
        }
        upstream.close();
    }
}
