package dev.toolgate.server.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.runtime.upstream.UnusableTool;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamChoice;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.runtime.upstream.UpstreamPrompts;
import dev.toolgate.runtime.upstream.UpstreamResources;
import dev.toolgate.runtime.upstream.UpstreamState;
import dev.toolgate.runtime.upstream.UpstreamTool;
import dev.toolgate.store.upstream.AccountSubject;
import dev.toolgate.store.upstream.McpServerRepository;
import dev.toolgate.store.upstream.McpServerRepository.ServerWithTools;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.PinnedDefinition;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredAccount;
import dev.toolgate.store.upstream.StoredServer;
import dev.toolgate.store.upstream.ToolPin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The MCP servers of all tenants at this instance. The registered servers and agreed tools are in the database; tools
 * are offered from there without a connection, which is opened on first use. A failing server affects no other.
 */
public final class UpstreamRegistry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamRegistry.class);

    private record Key(TenantId tenant, ServerName name) {}

    private final McpServerRepository repository;
    private final ToolCatalog catalog;
    private final UpstreamOpener opener;
    private final UserAccounts accounts;
    private final Redactor redactor;
    /** Held while the servers of a tenant are read and published, so that an older state never replaces a newer one. */
    private final ReentrantLock publishing = new ReentrantLock();

    private final Map<Key, LiveServer> live = new ConcurrentHashMap<>();
    /** The tools as last published; guarded by the lock. */
    private final Map<Key, List<ToolPin>> published = new HashMap<>();
    /** By server and tool, why an agreed tool cannot be offered. */
    private final Map<Key, Map<String, String>> problems = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /**
     * @param redactor masks the secrets sent to servers, in case they repeat them
     */
    public UpstreamRegistry(
            McpServerRepository repository,
            ToolCatalog catalog,
            UpstreamOpener opener,
            UserAccounts accounts,
            Redactor redactor) {
        this.repository = repository;
        this.catalog = catalog;
        this.opener = opener;
        this.accounts = accounts;
        this.redactor = redactor;
    }

    /** Offers the agreed tools of all tenants. */
    public void start() {
        repository.tenants().forEach(this::reload);
    }

    /** Reads the servers of a tenant again and offers the agreed tools. */
    public void reload(TenantId tenant) {
        publishing.lock();
        try {
            if (closed) {
                return;
            }
            Map<ServerName, ServerWithTools> present = new HashMap<>();
            repository.all(tenant).forEach(each -> present.put(each.server().name(), each));
            List<ServerName> gone = live.keySet().stream()
                    .filter(key -> key.tenant().equals(tenant) && !isUsed(present.get(key.name())))
                    .map(Key::name)
                    .toList();
            gone.forEach(name -> remove(tenant, name));
            present.values().stream().filter(UpstreamRegistry::isUsed).forEach(this::publishAlone);
        } finally {
            publishing.unlock();
        }
    }

    private static boolean isUsed(@Nullable ServerWithTools server) {
        return server != null && server.server().settings().enabled();
    }

    private void publishAlone(ServerWithTools present) {
        try {
            publish(present);
        } catch (RuntimeException unusable) {
            LOG.error(
                    "The tools of MCP server '{}' cannot be offered",
                    present.server().name(),
                    unusable);
            withdraw(new Key(present.server().tenant(), present.server().name()));
        }
    }

    private void publish(ServerWithTools present) {
        StoredServer stored = present.server();
        Key key = new Key(stored.tenant(), stored.name());
        LiveServer server = live.get(key);
        boolean isNew = server == null || server.stored().revision() != stored.revision();
        if (server == null || isNew) {
            server = replace(key, server, stored);
        }
        if (!isNew && present.tools().equals(published.get(key))) {
            return;
        }
        List<Tool<?>> tools = new ArrayList<>();
        Map<String, String> unusable = new HashMap<>();
        for (ToolPin pin : present.tools()) {
            PinnedDefinition agreed = pin.usable().orElse(null);
            if (agreed != null && isAllowed(stored.settings(), pin.tool())) {
                try {
                    tools.add(tool(server, agreed));
                } catch (UnusableTool unfit) {
                    unusable.put(pin.tool(), unfit.reason());
                } catch (RuntimeException unexpected) {
                    LOG.error("Tool '{}' of MCP server '{}' cannot be offered", pin.tool(), stored.name(), unexpected);
                    unusable.put(pin.tool(), "It cannot be offered because of an unexpected error.");
                }
            }
        }
        for (Tool<?> source : sources(server)) {
            // A tool of the server may have the same name; it takes precedence, because people have agreed to it.
            if (tools.stream()
                    .noneMatch(tool -> tool.spec().name().equals(source.spec().name()))) {
                tools.add(source);
            }
        }
        problems.put(key, Map.copyOf(unusable));
        catalog.replace(stored.tenant(), source(stored.name()), tools);
        published.put(key, present.tools());
    }

    private LiveServer replace(Key key, @Nullable LiveServer former, StoredServer stored) {
        try {
            LiveServer server = new LiveServer(
                    stored,
                    listener -> opener.open(stored.tenant(), stored.name(), stored.settings(), listener),
                    definitions -> readable(stored.tenant(), stored.name(), stored.settings(), definitions),
                    this::keep,
                    catalog::offerChanged,
                    stored.settings().hasUserAccounts()
                            ? new AccountConnections(stored, accounts, account -> ofAccount(stored, account))
                            : null);
            // A server with user accounts offers no resources, and its own connection has no credentials.
            if (former != null && server.accounts() == null) {
                server.upstream().takeSubscriptionsOf(former.upstream());
            }
            live.put(key, server);
            return server;
        } finally {
            if (former != null) {
                end(former);
            }
        }
    }

    /** A tool with the definition that a person agreed to; called only while the server offers exactly this one. */
    private static Tool<ObjectNode> tool(LiveServer server, PinnedDefinition agreed) throws UnusableTool {
        AccountConnections own = server.accounts();
        UpstreamChoice choice =
                context -> (own == null ? server : own.of(context)).forCall(agreed.tool(), agreed.hash());
        Tool<ObjectNode> tool = UpstreamTool.of(server.upstream().settings(), choice, agreed.json());
        return own == null ? tool : new AccountTool(tool, own);
    }

    // A server with user accounts lists different things for each user, so its prompts and resources are not offered.
    private static List<Tool<?>> sources(LiveServer server) {
        return server.accounts() == null
                ? List.of(new UpstreamPrompts(server.upstream()), new UpstreamResources(server.upstream()))
                : List.of();
    }

    /** A connection of one account; its list of tools applies only to its own calls. */
    private LiveServer ofAccount(StoredServer stored, StoredAccount account) throws McpFailure {
        ServerAuthorization authorization = accounts.authorization(account, stored.settings());
        return new LiveServer(
                stored,
                listener -> opener.open(stored.tenant(), stored.name(), stored.settings(), authorization, listener),
                definitions -> readable(stored.tenant(), stored.name(), stored.settings(), definitions),
                (_, _) -> {},
                () -> {}, // prompts and resources of servers with user accounts are not offered
                null);
    }

    private static boolean isAllowed(McpServerSettings settings, String tool) {
        return settings.allowedTools() == null || settings.allowedTools().contains(tool);
    }

    private void remove(TenantId tenant, ServerName name) {
        Key key = new Key(tenant, name);
        withdraw(key);
        LiveServer server = live.remove(key);
        if (server != null) {
            end(server);
        }
    }

    /** Offers none of a server's tools, not even one that a person has refused since they were last published. */
    private void withdraw(Key key) {
        catalog.replace(key.tenant(), source(key.name()), List.of());
        problems.remove(key);
        published.remove(key);
    }

    // Stopping a program may take seconds, which must not delay the publishing of other servers.
    static void end(LiveServer server) {
        Thread.ofVirtual().name("toolgate-mcp-end").start(server::close);
    }

    static McpFailure removed() {
        return new McpFailure(McpFailureKind.NOT_SENT, "The server has been removed.");
    }

    private static String source(ServerName name) {
        return "mcp:" + name;
    }

    /** The valid definitions of the allowed tools, with the secrets sent to the server masked. */
    private List<PinnedDefinition> readable(
            TenantId tenant, ServerName name, McpServerSettings settings, List<ObjectNode> definitions) {
        Redactor own = redactor.ofServer(tenant, name.value());
        List<PinnedDefinition> readable = definitions.stream()
                .flatMap(definition -> PinnedDefinition.of((ObjectNode) own.hideKnown(definition)).stream())
                .toList();
        if (readable.size() < definitions.size()) {
            LOG.warn(
                    "{} tools of MCP server '{}' are left out, because their definitions cannot be stored.",
                    definitions.size() - readable.size(),
                    name);
        }
        return readable.stream()
                .filter(definition -> isAllowed(settings, definition.tool()))
                .toList();
    }

    /** Masks secrets in a text that may come from a server, before it is shown to people of its tenant. */
    public String withoutSecrets(TenantId tenant, ServerName name, String text) {
        return redactor.ofServer(tenant, name.value()).hideKnown(text);
    }

    private void keep(LiveServer server, List<PinnedDefinition> found) {
        StoredServer stored = server.stored();
        if (repository
                .keepListing(stored.tenant(), stored.name(), stored.revision(), found)
                .isPresent()) {
            reload(stored.tenant());
        }
    }

    /**
     * Connects to a server that is not registered yet, and lists its tools.
     *
     * @throws McpFailure if that fails
     */
    public List<PinnedDefinition> probe(TenantId tenant, ServerName name, McpServerSettings settings)
            throws McpFailure {
        try (Upstream upstream = opener.open(tenant, name, settings, UpstreamListener.NONE)) {
            upstream.refresh();
            return readable(tenant, name, settings, upstream.definitions());
        }
    }

    /**
     * Connects to a registered server if needed, lists its tools, and stores changes.
     *
     * @param by the principal; a server with user accounts is listed with the principal's account
     * @return false if it is not in use: unknown or disabled
     * @throws McpFailure if it cannot be listed
     */
    public boolean refresh(TenantId tenant, ServerName name, String by) throws McpFailure {
        LiveServer server = live.get(new Key(tenant, name));
        if (server == null) {
            return false;
        }
        AccountConnections own = server.accounts();
        if (own == null) {
            server.refresh();
        } else {
            LiveServer ofPerson = own.of(new AccountSubject.Person(by))
                    .orElseThrow(() -> new McpFailure(
                            McpFailureKind.UNAUTHORIZED,
                            "It is listed with the account of the caller; connect yours at /connect/mcp/" + name
                                    + " first."));
            ofPerson.refresh();
            keep(
                    server,
                    readable(
                            tenant,
                            name,
                            server.stored().settings(),
                            ofPerson.upstream().definitions()));
        }
        return true;
    }

    /** Closes this instance's connection of an account that was disconnected. */
    public void forget(StoredAccount account) {
        LiveServer server = live.get(new Key(account.tenant(), account.server()));
        AccountConnections connections = server == null ? null : server.accounts();
        if (connections != null) {
            connections.forget(account.subject());
        }
    }

    /** The connection state of a server; empty if it is unknown or disabled. */
    public Optional<UpstreamState> state(TenantId tenant, ServerName name) {
        return Optional.ofNullable(live.get(new Key(tenant, name))).map(LiveServer::state);
    }

    /** By tool of a server, why an agreed tool is not offered. */
    public Map<String, String> problems(TenantId tenant, ServerName name) {
        return problems.getOrDefault(new Key(tenant, name), Map.of());
    }

    /** The connection of a server in use. */
    public Optional<Upstream> upstream(TenantId tenant, ServerName name) {
        return Optional.ofNullable(live.get(new Key(tenant, name))).map(LiveServer::upstream);
    }

    /** The names of a tenant's servers in use. */
    public Set<ServerName> names(TenantId tenant) {
        return live.keySet().stream()
                .filter(key -> key.tenant().equals(tenant))
                .map(Key::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Lists, in the background, servers of the settings file whose first tools need no agreement. */
    public void listFirst() {
        live.values().stream()
                .filter(server -> server.accounts() == null
                        && server.stored().settings().agreeFirst()
                        && server.stored().listedAt() == null)
                .forEach(server -> Thread.ofVirtual().name("toolgate-mcp-first").start(() -> {
                    try {
                        server.refresh();
                    } catch (McpFailure | RuntimeException unreachable) {
                        LOG.warn(
                                "MCP server '{}' could not be listed; run 'toolgate servers refresh {}' when it is up: {}",
                                server.stored().name(),
                                server.stored().name(),
                                unreachable.getMessage());
                    }
                }));
    }

    /** Disconnects from all servers, within a few seconds. */
    @Override
    public void close() {
        List<Runnable> open;
        publishing.lock();
        try {
            closed = true;
            open = live.values().stream().<Runnable>map(server -> server::close).toList();
            live.clear();
        } finally {
            publishing.unlock();
        }
        long left = ParallelClose.run(open, ParallelClose.TIMEOUT);
        if (left > 0) {
            LOG.warn("{} MCP servers were not disconnected cleanly in time; their sessions expire there.", left);
        }
    }
}
