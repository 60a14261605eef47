package dev.toolgate.server;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.http.routing.Route;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.NewKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The whole server on a free loopback port with its own database and the tenants default and acme. It can be called as
 * any role, and its database can be inspected.
 */
public final class RunningServer implements AutoCloseable {
    public static final TenantId FIRST = Principal.FIRST_TENANT;
    public static final TenantId ACME = new TenantId("acme");

    /** The agent of clients with the role agent. */
    public static final AgentId AGENT = new AgentId("agent_1");

    private final Map<String, Client> clients = new TreeMap<>();
    private final Path home;
    private final DatabaseUrl place;
    private final Database database;
    private final ApiKeys keys;
    private final ToolgateServer server;

    private RunningServer(Path home, DatabaseUrl place, Database database, ToolgateServer server) {
        this.home = home;
        this.place = place;
        this.database = database;
        this.keys = new ApiKeys(database.jdbi(), _ -> {});
        this.server = server;
    }

    /**
     * Starts a server with the built-in tools and additional ones.
     *
     * @param home an empty folder
     */
    public static RunningServer start(Path home, Tool<?>... moreTools) throws Exception {
        return start(home, Map.of(), moreTools);
    }

    /**
     * Starts a server.
     *
     * @param options additional settings by path, formatted as in the environment
     */
    public static RunningServer start(Path home, Map<String, String> options, Tool<?>... moreTools) throws Exception {
        return start(home, options, UnaryOperator.identity(), moreTools);
    }

    /**
     * Starts a server.
     *
     * @param recording wraps the audit log
     */
    public static RunningServer start(
            Path home, Map<String, String> options, UnaryOperator<AuditLog> recording, Tool<?>... moreTools)
            throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        Database database = Database.open(url);
        new Tenants(database.jdbi()).create(ACME, "Acme");
        return new RunningServer(
                home, url, database, ToolgateServer.start(settings(home, options, url), List.of(moreTools), recording));
    }

    /**
     * Starts another server on the same database, with the same files, for the caller to close.
     *
     * @param home an empty folder
     */
    public ToolgateServer another(Path home, Map<String, String> options, Tool<?>... tools) throws IOException {
        Map<String, String> shared = new TreeMap<>(options);
        shared.putIfAbsent("workspace", this.home.resolve("workspace").toString());
        shared.putIfAbsent(
                "tenant_workspaces", this.home.resolve("runtime/tenants").toString());
        shared.putIfAbsent("artifacts.folder", this.home.resolve("artifacts").toString());
        return ToolgateServer.start(settings(home, shared, place), List.of(tools));
    }

    private static ServerSettings settings(Path home, Map<String, String> options, DatabaseUrl url) throws IOException {
        Map<String, String> all = new TreeMap<>(options);
        all.put("home", home.toString());
        all.putIfAbsent("ports", "0");
        return ServerSettings.load(
                null,
                Map.of("DATABASE_URL", url.jdbcUrl() + "?user=" + url.user() + "&password=" + url.password()),
                all);
    }

    /** A client of a tenant with a role; an agent is {@link #AGENT}, and a user chats as it. */
    public Client as(TenantId tenant, Role role) {
        return clients.computeIfAbsent(
                tenant + " " + role, _ -> withKey(key(tenant, role, role == Role.AGENT ? AGENT : null)));
    }

    /** The admin of the first tenant. */
    public Client admin() {
        return as(FIRST, Role.ADMIN);
    }

    /** A client with this key. */
    public Client withKey(String key) {
        return anonymous().with("Authorization", "Bearer " + key);
    }

    /** A client without credentials. */
    public Client anonymous() {
        return new Client(server.url());
    }

    /** Creates a key directly in the database. */
    public String key(TenantId tenant, Role role, @Nullable AgentId agent) {
        return keys.create(new NewKey(
                        tenant,
                        role.wireName(),
                        agent,
                        role == Role.USER ? Set.of(AGENT) : Set.of(),
                        "test",
                        null,
                        "test"))
                .text();
    }

    /** Creates a user key for these agents directly in the database. */
    public String userKey(TenantId tenant, AgentId... agents) {
        return keys.create(new NewKey(tenant, "user", null, Set.of(agents), "test", null, "test"))
                .text();
    }

    /** All routes of the server. */
    public List<Route> routes() {
        return server.routes().all();
    }

    public String url() {
        return server.url();
    }

    /** The database, with the test's own connections. */
    public Database database() {
        return database;
    }

    /** All rows of a tenant by table, without the time a key was last used. */
    public Map<String, List<String>> rowsOf(TenantId tenant) {
        return database.jdbi().withHandle(handle -> {
            Map<String, List<String>> rows = new TreeMap<>();
            List<String> tables = handle.createQuery("""
                            SELECT c.table_name FROM information_schema.columns c
                            JOIN information_schema.tables t USING (table_schema, table_name)
                            WHERE c.column_name = 'tenant_id' AND c.table_schema = 'public' AND t.table_type = 'BASE TABLE'""").mapTo(String.class).list();
            for (String table : tables) {
                rows.put(
                        table,
                        handle.createQuery("SELECT (to_jsonb(r) - 'last_used_at')::text FROM " + table
                                        + " r WHERE tenant_id = :tenant ORDER BY 1")
                                .bind("tenant", tenant.value())
                                .mapTo(String.class)
                                .list());
            }
            return rows;
        });
    }

    @Override
    public void close() throws IOException {
        server.close();
        database.close();
    }
}
