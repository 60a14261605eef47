package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.connection.Timestamps;
import dev.toolgate.store.grant.UnknownTarget;
import dev.toolgate.store.upstream.StoredServer.Source;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The registered MCP servers and the pinned definitions of their tools: all changes of both. */
public final class McpServerRepository {
    /** The maximum number of servers of a tenant. */
    public static final int MAX_SERVERS = 500;

    /** The maximum number of tools of a server; further ones are ignored. */
    public static final int MAX_TOOLS = 2_000;

    /** The maximum number of accounts that are returned of a removed server; all are deleted. */
    public static final int MAX_RETURNED_ACCOUNTS = 1_000;

    private static final String SERVER_COLUMNS = "tenant_id, name, source, settings::text AS settings, revision,"
            + " listed_at, created_at, created_by, updated_at, updated_by";
    private final Statements statements;
    private final InstantSource clock;

    /** The initial state of the tools that a server offers when it is listed for the first time. */
    public enum FirstTools {
        /** Approved: the person who adds the server has seen them. */
        AGREED,
        /** They wait for approval. */
        WAITING
    }

    /** A server with its tools, by their names. */
    public record ServerWithTools(StoredServer server, List<ToolPin> tools) {}

    /**
     * A server that was removed, with the accounts of its users.
     *
     * @param accounts whose tokens can be revoked, at most {@link #MAX_RETURNED_ACCOUNTS}
     * @param moreAccounts how many more were deleted
     */
    public record RemovedServer(StoredServer server, List<StoredAccount> accounts, int moreAccounts) {}

    /** The result of approving or refusing a tool's definition. */
    public sealed interface PinChange {
        record Changed(ToolPin before, ToolPin after) implements PinChange {}

        /** There is no such tool. */
        record Unknown() implements PinChange {}

        /** The server now offers another definition than the one that was answered. */
        record Outdated(ToolPin now) implements PinChange {}
    }

    public McpServerRepository(Jdbi jdbi, InstantSource clock) {
        this.statements = new Statements(jdbi);
        this.clock = clock;
    }

    /**
     * Adds a server.
     *
     * @param found the tools that it offers; null if it was not listed
     * @return empty if the name is taken
     * @throws UnknownTarget if the tenant does not exist
     * @throws IllegalArgumentException if the tenant has too many servers
     */
    public Optional<ServerWithTools> add(
            TenantId tenant,
            ServerName name,
            Source source,
            McpServerSettings settings,
            @Nullable List<PinnedDefinition> found,
            FirstTools first,
            String by) {
        return statements.inTransaction(handle -> {
            lockTenant(handle, tenant);
            checkNumber(handle, tenant);
            int added = handle.createUpdate("""
                            INSERT INTO mcp_servers (tenant_id, name, source, settings, created_by, updated_by)
                            VALUES (:tenant, :name, :source, :settings::jsonb, :by, :by) ON CONFLICT DO NOTHING""")
                    .bind("tenant", tenant.value())
                    .bind("name", name.value())
                    .bind("source", source.name().toLowerCase(Locale.ROOT))
                    .bind("settings", McpServerJson.write(settings).toString())
                    .bind("by", by)
                    .execute();
            if (added == 0) {
                return Optional.empty();
            }
            if (found != null) {
                keepListing(handle, locked(handle, tenant, name).orElseThrow(), found, first, by);
            }
            return find(handle, tenant, name);
        });
    }

    /**
     * Changes the settings of a server.
     *
     * @param expected the revision that the change was made from
     * @return empty if there is no such server, or it has another revision
     */
    public Optional<ServerWithTools> update(
            TenantId tenant, ServerName name, long expected, McpServerSettings settings, String by) {
        return statements.inTransaction(handle -> {
            int changed = handle.createUpdate("""
                            UPDATE mcp_servers SET settings = :settings::jsonb, revision = nextval('mcp_server_revisions'),
                                updated_at = now(), updated_by = :by
                            WHERE tenant_id = :tenant AND name = :name AND revision = :expected""")
                    .bind("tenant", tenant.value())
                    .bind("name", name.value())
                    .bind("expected", expected)
                    .bind("settings", McpServerJson.write(settings).toString())
                    .bind("by", by)
                    .execute();
            return changed == 0 ? Optional.empty() : find(handle, tenant, name);
        });
    }

    /**
     * Removes a server with the pinned definitions of its tools and the accounts of its users.
     *
     * @return empty if there is no such server
     */
    public Optional<RemovedServer> remove(TenantId tenant, ServerName name) {
        return statements.inTransaction(handle -> locked(handle, tenant, name).map(server -> remove(handle, server)));
    }

    private static RemovedServer remove(Handle handle, StoredServer server) {
        List<StoredAccount> accounts =
                AccountTable.disconnectAll(handle, server.tenant(), server.name(), MAX_RETURNED_ACCOUNTS);
        int more = AccountTable.disconnectAll(handle, server.tenant(), server.name());
        handle.createUpdate("DELETE FROM mcp_servers WHERE tenant_id = :tenant AND name = :name")
                .bind("tenant", server.tenant().value())
                .bind("name", server.name().value())
                .execute();
        return new RemovedServer(server, accounts, more);
    }

    /**
     * Replaces all servers of the settings file. A server with the same name that was added through the API is taken
     * over by the file.
     *
     * @return those that are no longer in the file
     * @throws UnknownTarget if a tenant does not exist
     */
    public List<RemovedServer> takeFromSettings(Map<TenantId, Map<ServerName, McpServerSettings>> servers) {
        return statements.inTransaction(handle -> {
            servers.forEach((tenant, own) -> {
                lockTenant(handle, tenant);
                own.forEach((name, settings) -> takeFromSettings(handle, tenant, name, settings));
            });
            Set<String> kept = new HashSet<>();
            servers.forEach((tenant, own) -> own.keySet().forEach(name -> kept.add(tenant.value() + "/" + name)));
            // Names of servers have no slash, so the last slash is the separator.
            return handle
                    .createQuery("SELECT " + SERVER_COLUMNS + """
                             FROM mcp_servers WHERE source = 'settings' AND NOT tenant_id || '/' || name = ANY (:kept)
                            ORDER BY tenant_id, name FOR UPDATE""")
                    .bindArray("kept", String.class, kept)
                    .map((row, _) -> server(row))
                    .list()
                    .stream()
                    .map(server -> remove(handle, server))
                    .toList();
        });
    }

    private static void takeFromSettings(Handle handle, TenantId tenant, ServerName name, McpServerSettings settings) {
        handle.createUpdate("""
                        INSERT INTO mcp_servers AS s (tenant_id, name, source, settings, created_by, updated_by)
                        VALUES (:tenant, :name, 'settings', :settings::jsonb, 'settings', 'settings')
                        ON CONFLICT (tenant_id, name) DO UPDATE
                        SET source = 'settings', settings = excluded.settings, revision = nextval('mcp_server_revisions'),
                            updated_at = now(), updated_by = 'settings'
                        WHERE s.source <> 'settings' OR s.settings <> excluded.settings""")
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .bind("settings", McpServerJson.write(settings).toString())
                .execute();
    }

    /**
     * Stores the tools that a server has listed: a tool with its agreed definition stays usable, every other one waits
     * for a person.
     *
     * @param revision of the settings that it was listed with
     * @return empty if the server no longer exists, or its settings have another revision
     */
    public Optional<ServerWithTools> keepListing(
            TenantId tenant, ServerName name, long revision, List<PinnedDefinition> found) {
        return statements.inTransaction(handle -> {
            StoredServer server = locked(handle, tenant, name)
                    .filter(stored -> stored.revision() == revision)
                    .orElse(null);
            if (server == null) {
                return Optional.empty();
            }
            FirstTools first =
                    server.source() == Source.SETTINGS && server.settings().agreeFirst()
                            ? FirstTools.AGREED
                            : FirstTools.WAITING;
            keepListing(handle, server, found, first, "settings");
            return find(handle, tenant, name);
        });
    }

    private void keepListing(
            Handle handle, StoredServer server, List<PinnedDefinition> found, FirstTools first, String by) {
        Instant now = now();
        Map<String, ToolPin> before = new LinkedHashMap<>();
        ToolPinTable.ofServer(handle, server.tenant(), server.name()).forEach(pin -> before.put(pin.tool(), pin));
        Map<String, PinnedDefinition> offered = new TreeMap<>();
        found.stream().limit(MAX_TOOLS).forEach(definition -> offered.putIfAbsent(definition.tool(), definition));
        List<ToolPin> changed = new ArrayList<>();
        offered.forEach((tool, definition) -> {
            ToolPin was = before.get(tool);
            ToolPin is = was == null ? found(server, definition, first, by, now) : was.offered(definition, now);
            if (!is.equals(was)) {
                changed.add(is);
            }
        });
        List<String> removed = new ArrayList<>();
        before.forEach((tool, was) -> {
            if (!offered.containsKey(tool) && was.state() != ToolPin.State.GONE) {
                was.withdrawn().ifPresentOrElse(changed::add, () -> removed.add(tool));
            }
        });
        ToolPinTable.write(handle, server.tenant(), server.name(), changed);
        ToolPinTable.delete(handle, server.tenant(), server.name(), removed);
        if (server.listedAt() == null) {
            handle.createUpdate("UPDATE mcp_servers SET listed_at = now() WHERE tenant_id = :tenant AND name = :name")
                    .bind("tenant", server.tenant().value())
                    .bind("name", server.name().value())
                    .execute();
        }
    }

    private static ToolPin found(
            StoredServer server, PinnedDefinition definition, FirstTools first, String by, Instant now) {
        return server.listedAt() == null && first == FirstTools.AGREED
                ? ToolPin.agreed(definition, by, now)
                : ToolPin.found(definition, now);
    }

    /**
     * A person agrees to the definition of a tool.
     *
     * @param hash of the definition that the person has seen
     */
    public PinChange agree(TenantId tenant, ServerName name, String tool, String hash, String by) {
        return answer(tenant, name, tool, pin -> pin.agreedTo(hash, by, now()));
    }

    /** A person refuses the definition of a tool, which then cannot be used, even if it was agreed before. */
    public PinChange refuse(TenantId tenant, ServerName name, String tool, String hash, String by) {
        return answer(tenant, name, tool, pin -> pin.refusedTo(hash, by, now()));
    }

    private interface Answer {
        Optional<ToolPin> to(ToolPin pin);
    }

    private PinChange answer(TenantId tenant, ServerName name, String tool, Answer answer) {
        return statements.inTransaction(handle -> {
            if (locked(handle, tenant, name).isEmpty()) {
                return new PinChange.Unknown();
            }
            ToolPin before = ToolPinTable.ofServer(handle, tenant, name).stream()
                    .filter(pin -> pin.tool().equals(tool))
                    .findFirst()
                    .orElse(null);
            if (before == null) {
                return new PinChange.Unknown();
            }
            ToolPin after = answer.to(before).orElse(null);
            if (after == null) {
                return new PinChange.Outdated(before);
            }
            ToolPinTable.write(handle, tenant, name, List.of(after));
            return new PinChange.Changed(before, after);
        });
    }

    /** One server with its tools. */
    public Optional<ServerWithTools> find(TenantId tenant, ServerName name) {
        return statements.run(handle -> find(handle, tenant, name));
    }

    /** All servers of a tenant with their tools, sorted by name. */
    public List<ServerWithTools> all(TenantId tenant) {
        return statements.inTransaction(handle -> {
            Map<ServerName, List<ToolPin>> tools = ToolPinTable.byServer(handle, tenant);
            return handle
                    .createQuery("SELECT " + SERVER_COLUMNS
                            + " FROM mcp_servers WHERE tenant_id = :tenant ORDER BY name COLLATE \"C\"")
                    .bind("tenant", tenant.value())
                    .map((row, _) -> server(row))
                    .stream()
                    .map(server -> new ServerWithTools(server, tools.getOrDefault(server.name(), List.of())))
                    .toList();
        });
    }

    /** The tenants that have servers. */
    public List<TenantId> tenants() {
        return statements.run(handle -> handle.createQuery("SELECT DISTINCT tenant_id FROM mcp_servers ORDER BY 1")
                .mapTo(String.class)
                .map(TenantId::new)
                .list());
    }

    private static Optional<ServerWithTools> find(Handle handle, TenantId tenant, ServerName name) {
        return handle.createQuery(
                        "SELECT " + SERVER_COLUMNS + " FROM mcp_servers WHERE tenant_id = :tenant AND name = :name")
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .map((row, _) -> server(row))
                .findOne()
                .map(server -> new ServerWithTools(server, ToolPinTable.ofServer(handle, tenant, name)));
    }

    // Locked, so that concurrent listings are serialized.
    private static Optional<StoredServer> locked(Handle handle, TenantId tenant, ServerName name) {
        return handle.createQuery("SELECT " + SERVER_COLUMNS
                        + " FROM mcp_servers WHERE tenant_id = :tenant AND name = :name FOR UPDATE")
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .map((row, _) -> server(row))
                .findOne();
    }

    private static void lockTenant(Handle handle, TenantId tenant) {
        var _ = handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant FOR NO KEY UPDATE")
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .findOne()
                .orElseThrow(() -> new UnknownTarget("tenant", tenant.value()));
    }

    private static void checkNumber(Handle handle, TenantId tenant) {
        int present = handle.createQuery("SELECT count(*) FROM mcp_servers WHERE tenant_id = :tenant")
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .one();
        if (present >= MAX_SERVERS) {
            throw new IllegalArgumentException("A tenant can have at most " + MAX_SERVERS + " MCP servers.");
        }
    }

    private static StoredServer server(ResultSet row) throws SQLException {
        return new StoredServer(
                new TenantId(row.getString("tenant_id")),
                new ServerName(row.getString("name")),
                Source.valueOf(row.getString("source").toUpperCase(Locale.ROOT)),
                McpServerJson.read(row.getString("settings")),
                row.getLong("revision"),
                Timestamps.readNullable(row, "listed_at"),
                Timestamps.read(row, "created_at"),
                row.getString("created_by"),
                Timestamps.read(row, "updated_at"),
                row.getString("updated_by"));
    }

    // With the precision of the database, so that a value read equals the one written.
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
