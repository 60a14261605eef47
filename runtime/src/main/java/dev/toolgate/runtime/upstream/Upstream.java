package dev.toolgate.runtime.upstream;

import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One MCP server: connects on first use, reconnects with back-off, and keeps its last list of tools while
 * disconnected. Calls block the calling thread; any number of threads may call concurrently. A call that the server
 * may have executed is never sent twice.
 */
public final class Upstream implements AutoCloseable {
    private final UpstreamSettings settings;
    private final UpstreamListener listener;
    private final Redactor redactor;
    private final ReconnectingConnection connection;
    private final CachedList prompts;
    private final CachedList resources;
    private final CachedList resourceTemplates;
    private volatile ResourceSubscriptions subscriptions;

    /** Held while the listener is notified, so that the last notification is the current state. */
    private final ReentrantLock notifying = new ReentrantLock();

    private volatile List<ObjectNode> definitions = List.of();
    /** Whether the listener knows these definitions. */
    private volatile boolean listed;

    private final AtomicLong listings = new AtomicLong();
    private long lastListing; // guarded by notifying

    /** A server that is not connected yet, and to which no known secrets are sent. */
    public Upstream(UpstreamSettings settings, UpstreamConnectors connectors, UpstreamListener listener) {
        this(settings, connectors, listener, Redactor.knownSecretsOnly());
    }

    /**
     * A server that is not connected yet.
     *
     * @param redactor masks the secrets sent to the server, in case it repeats them
     */
    public Upstream(
            UpstreamSettings settings, UpstreamConnectors connectors, UpstreamListener listener, Redactor redactor) {
        this(settings, connectors.of(settings), listener, redactor, BackOff.DEFAULT);
    }

    Upstream(UpstreamSettings settings, ServerConnector connector, UpstreamListener listener, BackOff backOff) {
        this(settings, connector, listener, Redactor.knownSecretsOnly(), backOff);
    }

    private Upstream(
            UpstreamSettings settings,
            ServerConnector connector,
            UpstreamListener listener,
            Redactor redactor,
            BackOff backOff) {
        this.settings = settings;
        this.listener = listener;
        this.redactor = redactor;
        this.connection = new ReconnectingConnection(settings, connector, backOff, new Notifications());
        this.subscriptions = new ResourceSubscriptions(settings.name(), connection);
        this.prompts = cached(() -> listPrompts(CallOptions.DEFAULT), listener::promptsChanged);
        this.resources = cached(() -> listResources(CallOptions.DEFAULT), listener::resourcesChanged);
        this.resourceTemplates = cached(() -> listResourceTemplates(CallOptions.DEFAULT), listener::resourcesChanged);
        connection.start();
    }

    private CachedList cached(CachedList.Source source, Runnable changed) {
        return new CachedList(
                settings.name(),
                () -> masked(source.fetch()),
                () -> state() instanceof UpstreamState.Connected,
                CachedList.Times.DEFAULT,
                changed);
    }

    private List<ObjectNode> masked(List<ObjectNode> listed) {
        return redactor.knowsSecrets()
                ? listed.stream()
                        .map(each -> (ObjectNode) redactor.hideKnown(each))
                        .toList()
                : listed;
    }

    /** Masks the secrets sent to the server. */
    Redactor redactor() {
        return redactor;
    }

    public UpstreamSettings settings() {
        return settings;
    }

    public UpstreamState state() {
        return connection.state();
    }

    /** The tools as last listed, exactly as the server described them; also while it is unavailable. */
    public List<ObjectNode> definitions() {
        return definitions;
    }

    /** The prompts, as last listed, with secrets masked. */
    CachedList prompts() {
        return prompts;
    }

    /** The resources, as last listed, with secrets masked. */
    CachedList resources() {
        return resources;
    }

    /** The resource templates, as last listed, with secrets masked. */
    CachedList resourceTemplates() {
        return resourceTemplates;
    }

    /** Connects if needed and lists the tools again; the listener has been notified when this returns. */
    public void refresh() throws McpFailure {
        connection.listTools();
    }

    /**
     * Calls a tool by the server's name for it.
     *
     * @throws ToolFailure if the check fails; nothing was sent then
     */
    public ObjectNode callTool(String name, ObjectNode arguments, CallOptions options, DefinitionCheck check)
            throws McpFailure, ToolFailure {
        return connection.<ObjectNode, ToolFailure>use(each -> {
            check.require();
            return each.client().callTool(name, arguments, options);
        });
    }

    /** The prompts; empty if the server has none. Does not count as use. */
    public List<ObjectNode> listPrompts(CallOptions options) throws McpFailure {
        return connection.useUncounted(
                each -> each.capabilities().hasPrompts() ? each.client().listPrompts(options) : List.of());
    }

    public ObjectNode getPrompt(String name, ObjectNode arguments, CallOptions options) throws McpFailure {
        return connection.use(each -> each.client().getPrompt(name, arguments, options));
    }

    /** The resources; empty if the server has none. Does not count as use. */
    public List<ObjectNode> listResources(CallOptions options) throws McpFailure {
        return connection.useUncounted(
                each -> each.capabilities().hasResources() ? each.client().listResources(options) : List.of());
    }

    /** The resource templates; empty if the server has none. Does not count as use. */
    public List<ObjectNode> listResourceTemplates(CallOptions options) throws McpFailure {
        return connection.useUncounted(
                each -> each.capabilities().hasResources() ? each.client().listResourceTemplates(options) : List.of());
    }

    public ObjectNode readResource(String uri, CallOptions options) throws McpFailure {
        return connection.use(each -> each.client().readResource(uri, options));
    }

    /** Requests completions of an argument of a prompt or a resource template. */
    public ObjectNode complete(ObjectNode params, CallOptions options) throws McpFailure {
        return connection.use(each -> each.client().complete(params, options));
    }

    /** Subscribes to changes of a resource; null if the server does not support it, or there are too many. */
    ResourceSource.@Nullable Subscription subscribe(String uri, Consumer<String> changed) {
        return subscriptions.subscribe(uri, changed);
    }

    /**
     * Takes over the subscriptions of a server with former settings, which is closed after this; who subscribes or
     * unsubscribes there from now on does so here.
     */
    public void takeSubscriptionsOf(Upstream former) {
        subscriptions = former.subscriptions;
        subscriptions.moveTo(connection);
    }

    /** Disconnects cleanly; calls in progress fail. */
    @Override
    public void close() {
        connection.close();
    }

    /** Keeps the lists current and notifies the listener. */
    private final class Notifications implements ReconnectingConnection.Owner {
        @Override
        public void listTools(ServerConnection open) throws McpFailure {
            // Before the request: of two lists the one that was requested later counts.
            long listing = listings.incrementAndGet();
            List<ObjectNode> found = open.capabilities().hasTools()
                    ? open.client()
                            .listTools(CallOptions.DEFAULT.withTimeout(
                                    CallTimeout.of(ReconnectingConnection.ANSWER_TIMEOUT)))
                            .tools()
                    : List.of();
            notifying.lock();
            try {
                requireCurrent(open);
                if (listing > lastListing) {
                    lastListing = listing;
                    adopt(found);
                }
            } finally {
                notifying.unlock();
            }
        }

        // The next connection lists after this one has ended, so a list that is stored here is older than its list.
        private void requireCurrent(ServerConnection open) throws McpFailure {
            if (open.isOver()) {
                throw new McpFailure(
                        McpFailureKind.SESSION_LOST, "The connection ended while the tools were listed over it.");
            }
        }

        private void adopt(List<ObjectNode> found) {
            if (listed && found.equals(definitions)) {
                return;
            }
            // First, so that what the server no longer offers is not called even if the listener fails; the next list
            // counts as new then.
            definitions = found;
            listed = false;
            listener.toolsListed(found);
            listed = true;
        }

        @Override
        public void subscribe(ServerConnection open) throws McpFailure {
            open.listen();
        }

        @Override
        public void sessionOpened() {
            prompts.retry();
            resources.retry();
            resourceTemplates.retry();
            subscriptions.renew();
        }

        @Override
        public boolean hasSubscriptions() {
            return !subscriptions.isEmpty();
        }

        @Override
        public boolean hasListedTools() {
            return listed;
        }

        @Override
        public void stateChanged() {
            notifying.lock();
            try {
                listener.stateChanged(connection.state());
            } finally {
                notifying.unlock();
            }
        }

        @Override
        public void promptsChanged() {
            prompts.invalidate();
            listener.promptsChanged();
        }

        @Override
        public void resourcesChanged() {
            resources.invalidate();
            resourceTemplates.invalidate();
            listener.resourcesChanged();
        }

        @Override
        public void resourceUpdated(String uri) {
            subscriptions.updated(uri);
        }
    }
}
