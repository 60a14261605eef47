package dev.toolgate.bench.load;

import dev.toolgate.bench.NoopTool;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.CommitPerCall;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.NewKey;
import dev.toolgate.store.session.Sessions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.statement.PreparedBatch;

/** A test rig: one PostgreSQL with a default server, and one with a commit for every call. */
public final class Rig implements AutoCloseable {
    private static final String AGENT = "load-agent";
    private static final String TOOL = "noop";

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final TemporaryPostgres postgres;
    private final Database database;
    private final String key;

    public Rig() throws IOException {
        postgres = opened(TemporaryPostgres.start());
        database = opened(Database.open(postgres.home(), postgres.url()));
        key = new ApiKeys(database.jdbi(), _ -> {})
                .create(NewKey.of(Principal.FIRST_TENANT, "agent", new AgentId(AGENT), "load", null, "bench"))
                .text();
        database.jdbi().useHandle(handle -> handle.execute("""
                INSERT INTO agent_tool_permissions (tenant_id, agent_id, tool_name, allowed)
                VALUES (?, ?, ?, true)\
                """, Principal.FIRST_TENANT.value(), AGENT, TOOL));
    }

    /** A folder that is deleted with the rig. */
    Path folder() {
        return postgres.home();
    }

    /** The key of an agent. */
    public String key() {
        return key;
    }

    /** The agent whose key it is. */
    String agent() {
        return AGENT;
    }

    /** The database URL for other processes. */
    public String databaseUrl() {
        return postgres.url();
    }

    RequestBytes request(String path) {
        return new RequestBytes(path, key, AGENT, TOOL);
    }

    /** A request with a body that contains {@link RequestBytes#FRESH}. */
    RequestBytes request(String path, String body) {
        return new RequestBytes(path, key, body.replace("AGENT", AGENT).replace("TOOL", TOOL));
    }

    /** The same with further headers. */
    RequestBytes request(String path, Map<String, String> headers, String body) {
        return new RequestBytes(path, key, headers, body.replace("AGENT", AGENT).replace("TOOL", TOOL));
    }

    /** Grants tools to the agent. */
    void grant(List<String> tools) {
        database.jdbi().useHandle(handle -> {
            PreparedBatch batch = handle.prepareBatch("""
                    INSERT INTO agent_tool_permissions (tenant_id, agent_id, tool_name, allowed)
                    VALUES (?, ?, ?, true)\
                    """);
            tools.forEach(tool -> batch.add(Principal.FIRST_TENANT.value(), AGENT, tool));
            batch.execute();
        });
    }

    /** Starts a session that allows the tool. */
    void startSession(String id) {
        var _ = new Sessions(database.jdbi())
                .create(
                        PolicyBundle.of(
                                "1",
                                PolicyBundle.SCHEMA_VERSION,
                                Principal.FIRST_TENANT,
                                "bench",
                                new SessionId(id),
                                Instant.now().plus(Duration.ofDays(1)),
                                List.of(CapabilityGrant.named("Noop.Run"))),
                        new AgentId(AGENT),
                        null,
                        "bench")
                .orElseThrow();
    }

    /** Starts a default server, and returns its port. */
    int defaultServer() throws IOException {
        return start("default", UnaryOperator.identity(), Map.of());
    }

    /** Starts a default server that gives permits for unregistered tools, and returns its port. */
    int withUnregisteredTools() throws IOException {
        PermitRequests.grant(this);
        return start("permits", UnaryOperator.identity(), Map.of("tools.external.known_by_first_use", "true"));
    }

    /** Starts a server that uses OpenAI models at this address, and returns its port. */
    public int withModels(URI address) throws IOException {
        return start("models", UnaryOperator.identity(), Map.of("models.openai.base_url", address.toString()));
    }

    /** Starts a server with one commit per call, and returns its port. */
    int commitPerCall(int connections) throws Exception {
        CommitPerCall log = opened(new CommitPerCall(database.unpooled(), connections));
        return start("alone-" + connections, _ -> log, Map.of());
    }

    /** Starts a default server with further tools, and returns its port. */
    int withTools(List<? extends Tool<?>> tools) throws IOException {
        return start("tools", UnaryOperator.identity(), Map.of(), tools);
    }

    private int start(String name, UnaryOperator<AuditLog> recording, Map<String, String> more) throws IOException {
        return start(name, recording, more, List.of());
    }

    private int start(
            String name, UnaryOperator<AuditLog> recording, Map<String, String> more, List<? extends Tool<?>> moreTools)
            throws IOException {
        Path own = Files.createDirectories(postgres.home().resolve(name));
        Map<String, String> options = new HashMap<>(more);
        options.putAll(Map.of("home", own.toString(), "ports", "0", "database.url", postgres.url()));
        // Servers on one database must share their files.
        options.put("workspace", postgres.home().resolve("files/workspace").toString());
        options.put(
                "tenant_workspaces", postgres.home().resolve("files/tenants").toString());
        options.put(
                "artifacts.folder", postgres.home().resolve("files/artifacts").toString());
        ServerSettings settings = ServerSettings.load(null, Map.of(), options);
        List<Tool<?>> tools = new ArrayList<>(moreTools);
        tools.add(new NoopTool());
        return opened(ToolgateServer.start(settings, tools, recording)).ports().getFirst();
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

    @Override
    public void close() throws IOException {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception unclean) {
                throw new IOException("A part of the rig did not close.", unclean);
            }
        }
    }
}
