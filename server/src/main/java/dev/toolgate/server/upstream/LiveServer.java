package dev.toolgate.server.upstream;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamChoice;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.runtime.upstream.UpstreamState;
import dev.toolgate.store.upstream.PinnedDefinition;
import dev.toolgate.store.upstream.StoredServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** One registered server with its connection and its latest list of tools. */
final class LiveServer implements UpstreamListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveServer.class);

    /** How old a listing may be when one of its tools is called; servers need not announce changes of their tools. */
    static final Duration MAX_AGE = Duration.ofMinutes(10);

    /** The latest list of tools: names, with the hashes of their definitions. */
    private record Offered(Map<String, String> hashes, long atNanos) {
        static Offered now(Map<String, String> hashes) {
            return new Offered(hashes, System.nanoTime());
        }
    }

    private final StoredServer stored;
    private final Upstream upstream;
    private final Function<List<ObjectNode>, List<PinnedDefinition>> parser;
    private final BiConsumer<LiveServer, List<PinnedDefinition>> listed;
    private final Runnable offerChanged;
    private final @Nullable AccountConnections accounts;
    private final ReentrantLock listing = new ReentrantLock();
    private final AtomicReference<@Nullable Offered> offered = new AtomicReference<>();
    /** A listing that is not stored yet, for example because the database is unavailable. */
    private final AtomicReference<@Nullable List<PinnedDefinition>> unsaved = new AtomicReference<>();

    /**
     * @param open opens the connection, which notifies this object of listed tools
     * @param parser parses listed definitions; drops those that cannot be stored
     * @param listed receives every listing that differs from the last one
     * @param offerChanged called when prompts or resources of the server may have changed
     * @param accounts the connections of user accounts; null if all callers use this connection
     */
    LiveServer(
            StoredServer stored,
            Function<UpstreamListener, Upstream> open,
            Function<List<ObjectNode>, List<PinnedDefinition>> parser,
            BiConsumer<LiveServer, List<PinnedDefinition>> listed,
            Runnable offerChanged,
            @Nullable AccountConnections accounts) {
        this.stored = stored;
        this.parser = parser;
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

    /** The connections of user accounts; null if all callers use this connection. */
    @Nullable
    AccountConnections accounts() {
        return accounts;
    }

    UpstreamState state() {
        return upstream.state();
    }

    @Override
    public void toolsListed(List<ObjectNode> definitions) {
        List<PinnedDefinition> found = parsed(definitions);
        offered.set(Offered.now(found.stream()
                .collect(Collectors.toUnmodifiableMap(
                        PinnedDefinition::tool, PinnedDefinition::hash, (first, _) -> first))));
        unsaved.set(found);
        try {
            keep();
        } catch (RuntimeException unavailable) {
            LOG.warn(
                    "The tools of MCP server '{}' could not be stored; retrying later: {}",
                    stored.name(),
                    unavailable.toString());
        }
    }

    // What cannot be read may be anything, so no tool is offered until the next list.
    private List<PinnedDefinition> parsed(List<ObjectNode> definitions) {
        try {
            return parser.apply(definitions);
        } catch (RuntimeException unreadable) {
            offered.set(null);
            throw unreadable;
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

    // One at a time, so that an older listing never replaces a newer one.
    private synchronized void keep() {
        List<PinnedDefinition> found = unsaved.get();
        if (found != null) {
            listed.accept(this, found);
            unsaved.compareAndSet(found, null); // unless there is a newer one, whose thread waits
        }
    }

    /** Connects if needed and lists the tools again. */
    void refresh() throws McpFailure {
        listing.lock();
        try {
            upstream.refresh();
            keep();
            // At once, as another thread may have listed other tools in the meantime.
            offered.updateAndGet(last -> last == null ? null : Offered.now(last.hashes()));
        } finally {
            listing.unlock();
        }
    }

    /**
     * The connection for a call of a tool, which is made only if the server offers the agreed definition; lists the
     * tools again if the last list is too old.
     *
     * @throws ToolFailure if the server is unavailable
     */
    UpstreamChoice.Chosen forCall(String tool, String hash) throws ToolFailure, InterruptedException {
        Offered last = offered.get();
        if (last == null || System.nanoTime() - last.atNanos() > MAX_AGE.toNanos()) {
            listNow(last);
        }
        return new UpstreamChoice.Chosen(upstream, () -> requireOffered(tool, hash));
    }

    private void requireOffered(String tool, String hash) throws ToolFailure {
        Offered last = offered.get();
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

    // One thread lists for all that wait.
    private void listNow(@Nullable Offered known) throws ToolFailure, InterruptedException {
        listing.lockInterruptibly();
        try {
            Offered current = offered.get();
            if (current == null || current.equals(known)) {
                refresh();
            }
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
