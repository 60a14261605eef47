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
 * The whole server on a free port of the loopback interface and a database of its own, with the tenants default and
 * acme. It can be asked as anybody, and its database can be looked into.
 */
public final class RunningServer implements AutoCloseable {
    public static final TenantId FIRST = Principal.FIRST_TENANT;
    public static final TenantId ACME = new TenantId("acme");

    /** The agent that clients of the role agent are. */
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
     * Starts a server with the built-in tools and these.
     *
     * @param home an empty folder
     */
    public static RunningServer start(Path home, Tool<?>... moreTools) throws Exception {
        return start(home, Map.of(), moreTools);
    }

    /**
     * Starts a server.
     *
     * @param options more settings, by path, written as in the environment
     */
    public static RunningServer start(Path home, Map<String, String> options, Tool<?>... moreTools) throws Exception {
        return start(home, options, UnaryOperator.identity(), moreTools);
    }

    /**
     * Starts a server.
     *
     * @param recording is given the usual audit log
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
    public ToolgateServer another(Path home, Map<String, String> options) throws IOException {
        Map<String, String> shared = new TreeMap<>(options);
        shared.putIfAbsent("workspace", this.home.resolve("workspace").toString());
        shared.putIfAbsent(
                "tenant_workspaces", this.home.resolve("runtime/tenants").toString());
        shared.putIfAbsent("artifacts.folder", this.home.resolve("artifacts").toString());
        return ToolgateServer.start(settings(home, shared, place), List.of());
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

    /** Somebody of a tenant with a role; an agent is {@link #AGENT}, and a user chats as that one. */
    public Client as(TenantId tenant, Role role) {
        return clients.computeIfAbsent(
                tenant + " " + role, _ -> withKey(key(tenant, role, role == Role.AGENT ? AGENT : null)));
    }

    /** The admin of the first tenant. */
    public Client admin() {
        return as(FIRST, Role.ADMIN);
    }

    /** Somebody with this key. */
    public Client withKey(String key) {
        return anonymous().with("Authorization", "Bearer " + key);
    }

    /** Somebody who shows nothing. */
    public Client anonymous() {
        return new Client(server.url());
    }

    /** A new key, made beside the server. */
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

    /** A new key of a person who chats as these agents, made beside the server. */
    public String userKey(TenantId tenant, AgentId... agents) {
        return keys.create(new NewKey(tenant, "user", null, Set.of(agents), "test", null, "test"))
                .text();
    }

    /** Everything it can be asked. */
    public List<Route> routes() {
        return server.routes().all();
    }

    public String url() {
        return server.url();
    }

    /** The database, through connections of the test's own. */
    public Database database() {
        return database;
    }

    /** Every row that belongs to a tenant, by table; what merely notes that a key was used is left out. */
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
