package dev.toolgate.bench.load;

import dev.toolgate.bench.NoopTool;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.port.AuditLog;
import dev.toolgate.server.ToolgateServer;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.CommitPerCall;
import dev.toolgate.store.embedded.EmbeddedPostgres;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.NewKey;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** One PostgreSQL and, on it, the server as it is and the server with a commit for every call. */
final class Rig implements AutoCloseable {
    private static final String AGENT = "load-agent";
    private static final String TOOL = "noop";

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final TemporaryHome home = new TemporaryHome();
    private final String databaseUrl;
    private final Database database;
    private final String key;

    Rig() throws IOException {
        EmbeddedPostgres postgres = opened(EmbeddedPostgres.start(home.path()));
        databaseUrl =
                postgres.jdbcUrl() + "?user=" + encode(postgres.user()) + "&password=" + encode(postgres.password());
        database = opened(Database.open(home.path(), databaseUrl));
        key = new ApiKeys(database.jdbi(), _ -> {})
                .create(new NewKey(Principal.FIRST_TENANT, "agent", new AgentId(AGENT), "load", null, "bench"))
                .text();
        database.jdbi().useHandle(handle -> handle.execute("""
                INSERT INTO agent_tool_permissions (tenant_id, agent_id, tool_name, allowed)
                VALUES (?, ?, ?, true)""", Principal.FIRST_TENANT.value(), AGENT, TOOL));
    }

    RequestBytes request(String path) {
        return new RequestBytes(path, key, AGENT, TOOL);
    }

    /** The port of a server as it is. */
    int usual() throws IOException {
        return start("usual", UnaryOperator.identity());
    }

    /** The port of a server that commits every call by itself. */
    int commitPerCall(int connections) throws Exception {
        CommitPerCall log = opened(new CommitPerCall(database.sessions(), connections));
        return start("alone-" + connections, _ -> log);
    }

    private int start(String name, UnaryOperator<AuditLog> recording) throws IOException {
        Path own = Files.createDirectories(home.path().resolve(name));
        ServerSettings settings = ServerSettings.load(
                null, Map.of(), Map.of("home", own.toString(), "ports", "0", "database.url", databaseUrl));
        return opened(ToolgateServer.start(settings, List.of(new NoopTool()), recording))
                .ports()
                .getFirst();
    }

    long recordedCalls() {
        return database.jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM tool_audit_logs")
                .mapTo(Long.class)
                .one());
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable part : parts) {
            part.close();
        }
        home.close();
    }
}
