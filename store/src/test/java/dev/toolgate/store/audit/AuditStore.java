package dev.toolgate.store.audit;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An audit log on its own database, and sample calls. */
public record AuditStore(DatabaseUrl url, Database database, PostgresAuditLog log, AuditQueries queries)
        implements AutoCloseable {
    public static final TenantId ACME = new TenantId("acme");
    public static final AgentId ALICE = new AgentId("alice");
    public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    public static AuditStore open() throws Exception {
        return open(MigratedDatabase.fresh());
    }

    public static AuditStore open(DatabaseUrl url) throws Exception {
        return open(url, Duration.ofSeconds(5));
    }

    public static AuditStore open(DatabaseUrl url, Duration timeout) throws Exception {
        Database database = Database.open(url);
        database.jdbi().useHandle(handle -> handle.execute("SELECT create_audit_partitions('2026-03-01', 1)"));
        return new AuditStore(
                url, database, new PostgresAuditLog(database.unpooled(), timeout), new AuditQueries(database.jdbi()));
    }

    public static AuditLog.Entry completed(String request) {
        return call(request, "alice", "bash", NOON, AuditLog.Status.COMPLETED);
    }

    public static AuditLog.Entry call(String request, String agent, String tool, Instant at, AuditLog.Status status) {
        boolean refused = status == AuditLog.Status.REFUSED;
        return new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.CALL,
                        new RequestId(request),
                        caller(agent),
                        CallContext.NONE,
                        null,
                        tool,
                        "execute",
                        Json.MAPPER.createObjectNode().put("command", "ls " + request),
                        null,
                        null,
                        at),
                Duration.ofMillis(3),
                status,
                refused ? ErrorCode.PERMISSION_DENIED : null,
                refused ? "not permitted" : null,
                AuditLog.Approval.NONE,
                "summary",
                null);
    }

    public static AuditLog.Intent intent(String request) {
        return new AuditLog.Intent(
                AuditLog.Kind.CALL,
                new RequestId(request),
                caller("alice"),
                CallContext.NONE,
                null,
                "bash",
                "execute",
                Json.MAPPER.createObjectNode().put("command", "rm"),
                null,
                null,
                NOON);
    }

    static Caller caller(String agent) {
        return Caller.ofAgent(ACME, new AgentId(agent), null, new WorkspaceId("workspace"));
    }

    public List<AuditRecord> all() {
        return queries.page(AuditFilter.of(ACME), null, 1000).records();
    }

    public List<String> requests(AuditFilter filter) {
        return queries.page(filter, null, 1000).records().stream()
                .map(found -> found.call().requestId())
                .toList();
    }

    public long count(String sql) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
    }

    /** The calls whose outcome is not recorded yet. */
    List<String> openIntents() {
        return database.jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT instance_id || ' ' || number || ' ' || request_id FROM tool_intents")
                .mapTo(String.class)
                .list());
    }

    public void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    @Override
    public void close() throws IOException {
        log.close();
        database.close();
    }
}
