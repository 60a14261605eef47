package dev.toolgate.server.wiring;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.secret.TokenSealer;
import dev.toolgate.server.upstream.UpstreamOpener;
import dev.toolgate.server.upstream.UpstreamRegistry;
import dev.toolgate.server.upstream.UserAccounts;
import dev.toolgate.store.Database;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.upstream.AccountTable;
import dev.toolgate.store.upstream.McpServerRepository;
import dev.toolgate.store.upstream.McpServerRepository.RemovedServer;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.version.TenantChangeWatch;
import dev.toolgate.store.version.VersionTable;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the MCP servers behind the gate. */
record UpstreamParts(McpServerRepository servers, UpstreamRegistry registry, UserAccounts accounts) {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamParts.class);

    /**
     * Offers the agreed tools of all servers; connects to none of them yet.
     *
     * @param handedOut is given the tokens sent to servers, so that they are masked
     */
    static UpstreamParts open(
            ServerSettings settings,
            Database database,
            ToolCatalog catalog,
            RuntimeSettings runtime,
            AddressPolicies addresses,
            Secrets secrets,
            KnownSecrets handedOut,
            Redactor redactor,
            PublicAddress address,
            Clock clock,
            Resources resources)
            throws IOException {
        McpServerRepository servers = new McpServerRepository(database.jdbi(), clock);
        List<RemovedServer> removed = servers.takeFromSettings(configured(settings, new Tenants(database.jdbi())));
        UpstreamOpener opener = resources.register(new UpstreamOpener(
                runtime, runtime.stateFolder().resolve("mcp-servers"), addresses, secrets, handedOut, redactor, clock));
        UserAccounts accounts = new UserAccounts(
                new AccountTable(database.jdbi()), sealer(settings), opener, address, handedOut, clock);
        removed.forEach(accounts::revokeRemoved);
        UpstreamRegistry registry =
                resources.register(new UpstreamRegistry(servers, catalog, opener, accounts, redactor));
        registry.start();
        registry.listFirst();
        resources.register(
                database.listener().subscribe(new TenantChangeWatch(VersionTable.MCP_SERVERS, registry::reload)));
        return new UpstreamParts(servers, registry, accounts);
    }

    private static TokenSealer sealer(ServerSettings settings) throws IOException {
        return new TokenSealer(GeneratedKey.of(
                settings.auth().accountKey(),
                settings.home().resolve("account.key"),
                "after which people must connect their accounts at MCP servers again"));
    }

    private static Map<TenantId, Map<ServerName, McpServerSettings>> configured(
            ServerSettings settings, Tenants tenants) {
        Map<TenantId, Map<ServerName, McpServerSettings>> configured = new HashMap<>();
        settings.mcpServers().forEach((id, servers) -> {
            TenantId tenant = new TenantId(id);
            if (tenants.exists(tenant)) {
                Map<ServerName, McpServerSettings> own = new TreeMap<>();
                servers.forEach((name, server) -> own.put(new ServerName(name), server));
                configured.put(tenant, own);
            } else {
                LOG.warn(
                        "mcp_servers: there is no tenant '{}', so its {} servers are left out; create it and restart",
                        id,
                        servers.size());
            }
        });
        return configured;
    }
}
