package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.query.CostSum;
import dev.toolgate.store.audit.query.QueryTooExpensive;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AuditCostsTest {
    private static final Instant FROM = AuditStore.NOON;
    private static final Instant UNTIL = AuditStore.NOON.plusSeconds(100);
    private static final int MANY = 60_000;

    private static AuditStore store;

    @BeforeAll
    static void write() throws Exception {
        store = AuditStore.open();
        spend("r1", "alice", "bash", 0, "0.5");
        spend("r2", "alice", "web_search", 10, "0.25");
        spend("r3", "bob", "bash", 20, "2");
        spend("r4", "bob", "bash", 30, null);
        spend("r5", "alice", "bash", 100, "7");
    }

    @AfterAll
    static void close() throws Exception {
        store.close();
    }

    @Test
    void costs_are_summed_by_agent_tool_or_day() {
        assertThat(costs(AuditStore.ACME, CostSum.By.AGENT)).containsExactly("bob 1 2.000000", "alice 2 0.750000");
        assertThat(costs(AuditStore.ACME, CostSum.By.TOOL)).containsExactly("bash 2 2.500000", "web_search 1 0.250000");
        assertThat(costs(AuditStore.ACME, CostSum.By.DAY))
                .containsExactly(FROM.toString().substring(0, "2026-01-31".length()) + " 3 2.750000");
        assertThat(costs(new TenantId("other"), CostSum.By.TOOL)).isEmpty();
    }

    @Test
    void status_restricts_a_query() {
        AuditFilter all = AuditFilter.of(AuditStore.ACME);
        assertThat(store.requests(all.status(AuditLog.Status.COMPLETED))).hasSize(5);
        assertThat(store.requests(all.status(AuditLog.Status.FAILED))).isEmpty();
    }

    @Test
    void a_search_that_takes_too_long_is_cancelled_with_advice() {
        store.sql("""
                CREATE FUNCTION slow(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT pg_sleep(60) IS NULL';
                CREATE OPERATOR public.~~* (LEFTARG = text, RIGHTARG = text, FUNCTION = slow)""");
        store.sql("ALTER DATABASE " + MigratedDatabase.name(store.url()) + " SET search_path = public, pg_catalog");
        try (Database database = Database.open(store.url())) {
            AuditQueries queries = new AuditQueries(database.jdbi());
            assertThatThrownBy(
                            () -> queries.page(AuditFilter.of(AuditStore.ACME).text("x"), null, 10))
                    .isInstanceOf(QueryTooExpensive.class)
                    .hasMessageContaining("narrow it by time, agent or tool");
            assertThat(queries.page(AuditFilter.of(AuditStore.ACME), null, 10).records())
                    .hasSize(5);
        } catch (IOException unreachable) {
            throw new AssertionError(unreachable);
        } finally {
            store.sql("DROP OPERATOR public.~~* (text, text)");
        }
    }

    @Test
    void the_last_records_of_one_agent_and_a_record_by_its_id_are_read_by_index() throws Exception {
        try (AuditStore large = AuditStore.open()) {
            large.sql("""
                    INSERT INTO tool_audit_logs (tenant_id, request_id, timestamp, agent_id, workspace_id, tool_name,
                        operation, parameters, allowed, status, instance_id, sequence, previous_hash, hash)
                    SELECT 'acme', 'r' || i, now() + i * interval '1 minute', 'agent' || i %% 50, 'w', 'bash', 'execute',
                        '{}', true, 'COMPLETED', gen_random_uuid(), i, '', ''
                    FROM generate_series(1, %d) AS i""".formatted(MANY));
            large.sql("VACUUM ANALYZE tool_audit_logs"); // as autovacuum does, which also summarises ranges of ids

            assertThat(plan(large, "agent_id = 'agent7' ORDER BY timestamp DESC, id DESC LIMIT 101"))
                    .contains("agent_id_timestamp_id_idx")
                    .doesNotContain("Seq Scan")
                    .doesNotContain("Sort  (");
            assertThat(plan(large, "id = " + MANY / 2)).contains("Bitmap Index Scan");
        }
    }

    private static String plan(AuditStore store, String condition) {
        return store.database()
                .jdbi()
                .withHandle(handle -> String.join(
                        "\n",
                        handle.createQuery("EXPLAIN ANALYZE SELECT * FROM tool_audit_logs WHERE tenant_id = 'acme' AND "
                                        + condition)
                                .mapTo(String.class)
                                .list()));
    }

    private static List<String> costs(TenantId tenant, CostSum.By by) {
        return store.queries().costs(tenant, FROM, UNTIL, by).stream()
                .map(sum -> sum.name() + " " + sum.calls() + " " + sum.cost())
                .toList();
    }

    private static void spend(String request, String agent, String tool, int second, @Nullable String cost) {
        AuditLog.Entry plain =
                AuditStore.call(request, agent, tool, FROM.plusSeconds(second), AuditLog.Status.COMPLETED);
        store.log()
                .record(new AuditLog.Entry(
                        new AuditLog.Intent(
                                AuditLog.Kind.CALL,
                                plain.requestId(),
                                plain.caller(),
                                CallContext.NONE,
                                null,
                                tool,
                                plain.call().operation(),
                                plain.parameters(),
                                null,
                                null,
                                plain.call().at()),
                        plain.took(),
                        plain.status(),
                        null,
                        null,
                        AuditLog.Approval.NONE,
                        plain.resultSummary(),
                        cost == null ? null : new BigDecimal(cost)));
    }
}
