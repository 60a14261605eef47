package dev.toolgate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.retention.AuditRetention;
import dev.toolgate.store.audit.retention.RetentionSettings;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.connection.DatabaseAccess;
import dev.toolgate.store.connection.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An attacker with the gate's database credentials tries to modify audit records. */
class RecordProtectionTest {
    private static final Instant JANUARY = Instant.parse("2024-01-10T00:00:00Z");

    private DatabaseAccess access;
    private Database database;

    @BeforeEach
    void a_record() throws Exception {
        access = SharedPostgres.server().access(SharedPostgres.newDatabase().jdbcUrl());
        database = Database.open(access);
        owner("SELECT create_audit_partitions('2024-01-01', 1)");
        database.close();
        database = Database.open(access); // transfers the partition created by the owner to the retention role
        record(JANUARY);
        record(Instant.now());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE tool_audit_logs SET agent_id = 'eve'",
                "UPDATE tool_audit_logs_2024_01 SET agent_id = 'eve'",
                "DELETE FROM tool_audit_logs",
                "DELETE FROM tool_audit_logs_2024_01",
                "DELETE FROM tool_audit_logs_rest",
                "TRUNCATE tool_audit_logs",
                "TRUNCATE tool_audit_logs_2024_01",
                "DROP TABLE tool_audit_logs_2024_01",
                "ALTER TABLE tool_audit_logs DETACH PARTITION tool_audit_logs_2024_01",
                "ALTER TABLE tool_audit_logs ADD COLUMN mine TEXT",
                "UPDATE audit_instances SET pruned_sequence = 1",
                "DELETE FROM audit_instances",
                "UPDATE audit_anchors SET hash = previous_hash",
                "DELETE FROM audit_anchors",
                "INSERT INTO tool_audit_logs_2024_01 (tenant_id) VALUES ('eve')",
                "SET ROLE toolgate",
                "SET ROLE toolgate_retention",
                "SET SESSION AUTHORIZATION toolgate",
                "ALTER TABLE tool_audit_logs OWNER TO toolgate_gate",
                "CREATE TABLE public.mine (x INT)",
            })
    void the_role_of_the_gate_cannot_modify_records(String statement) throws Exception {
        String before = records();

        assertThatThrownBy(() -> database.jdbi().useHandle(handle -> handle.execute(statement)))
                .cause()
                .isInstanceOf(SQLException.class)
                .satisfies(refused ->
                        assertThat(((SQLException) refused).getSQLState()).isEqualTo("42501"));
        assertThatThrownBy(() -> database.jdbi().useHandle(handle -> handle.execute("RESET ROLE; " + statement)))
                .cause()
                .isInstanceOf(SQLException.class);
        assertThat(records()).isEqualTo(before).contains("agent_1");
        assertThat(database.recordProtection()).isEqualTo(Database.RecordProtection.BY_ROLE);
    }

    @Test
    void retention_deletes_records_with_its_own_role() throws Exception {
        AuditRetention retention = new AuditRetention(
                database.retention(),
                Clock.fixed(Instant.parse("2025-02-01T00:00:00Z"), ZoneOffset.UTC),
                RetentionSettings.defaults());

        assertThat(retention.run()).contains(YearMonth.of(2024, 1));
        assertThat(new AuditQueries(database.jdbi()).verify().faults()).isEmpty();
        assertThat(new AuditQueries(database.jdbi()).verify().records()).isEqualTo(1);
        record(Instant.parse("2025-02-01T00:00:00Z")); // into a partition created by retention
        assertThat(new AuditQueries(database.jdbi()).verify().records()).isEqualTo(2);
    }

    @Test
    void a_start_grants_nothing_that_is_granted_already() throws Exception {
        String before = catalogVersions();
        database.close();
        database = Database.open(access);

        assertThat(catalogVersions()).isEqualTo(before);
        assertThat(database.recordProtection()).isEqualTo(Database.RecordProtection.BY_ROLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GRANT DELETE ON tool_audit_logs_rest TO toolgate_gate",
                "GRANT UPDATE (agent_id) ON tool_audit_logs TO toolgate_gate",
                "REVOKE INSERT ON tool_audit_logs FROM toolgate_gate",
            })
    void a_start_restores_changed_privileges(String statement) throws Exception {
        String before = privileges();
        owner("SET ROLE toolgate_retention; " + statement + "; RESET ROLE");
        assertThat(privileges()).isNotEqualTo(before);
        database.close();
        database = Database.open(access);

        assertThat(privileges()).isEqualTo(before);
        record(Instant.now());
    }

    @Test
    void a_single_role_works_and_is_reported_as_unprotected() throws Exception {
        try (Database single = Database.open(MigratedDatabase.fresh())) {
            assertThat(single.recordProtection()).isEqualTo(Database.RecordProtection.NONE);
        }
    }

    private String catalogVersions() throws Exception {
        return ownerReads("SELECT string_agg(relname || xmin, ' ' ORDER BY relname) FROM pg_class"
                + " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')");
    }

    private String privileges() throws Exception {
        return ownerReads("SELECT string_agg(concat(relname, attname, relacl, attacl), ' ' ORDER BY relname, attname)"
                + " FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND attacl IS NOT NULL"
                + " WHERE relname LIKE 'tool_audit_logs%' AND relkind IN ('r', 'p')");
    }

    private void record(Instant at) throws SQLException {
        try (PostgresAuditLog log = new PostgresAuditLog(database.unpooled(), Duration.ofSeconds(10))) {
            log.record(new AuditLog.Entry(
                    new AuditLog.Intent(
                            AuditLog.Kind.CALL,
                            new RequestId("r"),
                            Caller.ofAgent(new TenantId("acme"), new AgentId("agent_1"), null, new WorkspaceId("w")),
                            CallContext.NONE,
                            null,
                            "bash",
                            "execute",
                            Json.MAPPER.createObjectNode(),
                            null,
                            null,
                            at),
                    Duration.ofMillis(3),
                    AuditLog.Status.COMPLETED,
                    null,
                    null,
                    AuditLog.Approval.NONE,
                    "summary",
                    null));
        }
    }

    private void owner(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String records() throws SQLException {
        return ownerReads("""
                SELECT (SELECT string_agg(l::text, ';' ORDER BY id) FROM tool_audit_logs l)
                    || (SELECT string_agg(i::text, ';' ORDER BY number) FROM audit_instances i)
                    || coalesce((SELECT string_agg(a::text, ';' ORDER BY sequence) FROM audit_anchors a), '')""");
    }

    private String ownerReads(String query) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private Connection connection() throws SQLException {
        DatabaseUrl owner = access.owner();
        return DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
    }
}
