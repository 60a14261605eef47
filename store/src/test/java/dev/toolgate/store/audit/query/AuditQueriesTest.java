package dev.toolgate.store.audit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.record.AuditTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AuditQueriesTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final AuditFilter ALL = AuditFilter.of(AuditStore.ACME);

    private static AuditStore store;

    @BeforeAll
    static void write() throws Exception {
        store = AuditStore.open();
        for (int i = 0; i < 30; i++) {
            // Three records share each timestamp, so that pages break between equal ones.
            store.log()
                    .record(AuditStore.call(
                            "r" + i,
                            i % 2 == 0 ? "alice" : "bob",
                            i % 3 == 0 ? "bash" : "file_read",
                            START.plusSeconds(i / 3),
                            i % 5 == 0 ? AuditLog.Status.REFUSED : AuditLog.Status.COMPLETED));
        }
    }

    @AfterAll
    static void close() throws Exception {
        store.close();
    }

    @Test
    void newest_records_come_first() {
        assertThat(store.requests(ALL))
                .hasSize(30)
                .startsWith("r29", "r28", "r27")
                .endsWith("r0");
    }

    @Test
    void pages_have_no_gaps_when_records_are_added_in_between() throws Exception {
        List<String> seen = new ArrayList<>();
        @Nullable AuditPosition after = null;
        AuditFilter before = ALL.between(null, START.plusSeconds(100));
        int pages = 0;
        do {
            AuditPage page = store.queries().page(before, after, 7);
            page.records().forEach(found -> seen.add(found.call().requestId()));
            after = page.next() == null ? null : AuditPosition.parse(page.next().token());
            store.log()
                    .record(AuditStore.call(
                            "late" + pages++, "carol", "bash", START.plusSeconds(200), AuditLog.Status.COMPLETED));
        } while (after != null);

        assertThat(seen).hasSize(30).doesNotHaveDuplicates();
        assertThat(pages).isEqualTo(5);
        store.sql("DELETE FROM tool_audit_logs WHERE agent_id = 'carol'");
    }

    @Test
    void every_filter_restricts() {
        assertThat(store.requests(ALL.agent("alice")))
                .hasSize(15)
                .contains("r28")
                .doesNotContain("r29");
        assertThat(store.requests(ALL.tool("bash"))).hasSize(10);
        assertThat(store.requests(ALL.allowed(false))).hasSize(6);
        assertThat(store.requests(ALL.allowed(true))).hasSize(24);
        assertThat(store.requests(ALL.request("r7"))).containsExactly("r7");
        assertThat(store.requests(ALL.between(START.plusSeconds(1), START.plusSeconds(2))))
                .containsExactly("r5", "r4", "r3");
        assertThat(store.requests(ALL.agent("alice").tool("bash").allowed(false)))
                .containsExactly("r0");
        assertThat(store.requests(ALL.project("none"))).isEmpty();
        assertThat(store.requests(AuditFilter.of(new TenantId("other")))).isEmpty();
    }

    @Test
    void text_search_ignores_case_and_has_no_wildcards() {
        assertThat(store.requests(ALL.text("LS R7"))).containsExactly("r7");
        assertThat(store.requests(ALL.text("not permitted"))).hasSize(6);
        assertThat(store.requests(ALL.text("%"))).isEmpty();
        assertThat(store.requests(ALL.text("_s r7"))).isEmpty();
        assertThat(store.requests(ALL.text("\\"))).isEmpty();
        assertThat(store.requests(ALL.text("' OR true --"))).isEmpty();
        assertThat(store.requests(ALL.text("\0"))).isEmpty();
    }

    @Test
    void an_export_has_all_records_in_the_same_order() {
        List<String> exported = new ArrayList<>();
        long count =
                store.queries().export(ALL, found -> exported.add(found.call().requestId()));

        assertThat(count).isEqualTo(30);
        assertThat(exported).isEqualTo(store.requests(ALL));
    }

    @Test
    void an_invalid_page_token_is_rejected() {
        for (String token : List.of("", "-", "1", "a-b", "1-", "-1", "99999999999999999999-1")) {
            assertThatThrownBy(() -> AuditPosition.parse(token)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void queries_use_the_indexes() {
        assertThat(plan("tenant_id = 'acme' AND agent_id = 'alice'")).contains("agent_id_timestamp_id_idx");
        assertThat(plan("tenant_id = 'acme' AND tool_name = 'bash'")).contains("tool_name_timestamp_id_idx");
        assertThat(plan("tenant_id = 'acme' AND status <> 'COMPLETED' AND status = 'REFUSED'"))
                .contains("status_timestamp_id_idx");
    }

    private static String plan(String condition) {
        return store.database().jdbi().inTransaction(handle -> {
            handle.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off");
            return String.join(
                    "\n",
                    handle.createQuery("EXPLAIN SELECT * FROM " + AuditTables.ALL + " WHERE " + condition
                                    + " ORDER BY timestamp DESC, id DESC LIMIT 100")
                            .mapTo(String.class)
                            .list());
        });
    }

    @Test
    void sessions_errors_principals_and_statuses_restrict() {
        AuditFilter told = AuditFilter.of(new TenantId("told"));
        insert("told", 4, "n % 2 = 0", "'s' || n % 2", "CASE WHEN n = 3 THEN 'TIMEOUT' END", "'key:' || n % 3");

        assertThat(store.requests(told.session("s1"))).containsExactly("n3", "n1");
        assertThat(store.requests(told.error("TIMEOUT"))).containsExactly("n3");
        assertThat(store.requests(told.principal("key:1"))).containsExactly("n4", "n1");
        assertThat(store.requests(told.status(AuditLog.Status.FAILED))).containsExactly("n3");
        assertThat(store.requests(told.status(AuditLog.Status.COMPLETED))).containsExactly("n4", "n2", "n1");
        assertThat(store.requests(told.session("s0").principal("key:1"))).containsExactly("n4");
        assertThat(store.requests(ALL.session("s1"))).isEmpty();
    }

    @Test
    void a_page_reads_a_bounded_number_of_records_and_has_a_next() {
        AuditFilter rare = AuditFilter.of(new TenantId("many")).principal("key:rare");
        insert(
                "many",
                25_000,
                "true",
                "NULL",
                "NULL",
                "CASE WHEN n IN (7, 21000) THEN 'key:rare' ELSE 'key:often' END");

        for (AuditReadOptions.Order order : AuditReadOptions.Order.values()) {
            AuditReadOptions reading = new AuditReadOptions(order, AuditReadOptions.Scope.EVERYTHING);
            List<Integer> sizes = new ArrayList<>();
            List<String> found = new ArrayList<>();
            @Nullable AuditPosition after = null;
            do {
                AuditPage page = store.queries().page(rare, reading, after, 100);
                sizes.add(page.records().size());
                page.records().forEach(record -> found.add(record.call().requestId()));
                after = page.next();
            } while (after != null);
            assertThat(found).as(order.name()).containsExactlyInAnyOrder("n7", "n21000");
            assertThat(sizes).as(order.name()).hasSize(3).contains(0);
        }
    }

    @Test
    void a_record_is_found_by_its_id_within_its_tenant() {
        long id = store.all().getFirst().id();

        assertThat(store.queries().find(AuditStore.ACME, AuditReadOptions.Scope.EVERYTHING, id))
                .hasValueSatisfying(found -> assertThat(found.id()).isEqualTo(id));
        assertThat(store.queries().find(AuditStore.ACME, AuditReadOptions.Scope.KNOWN_AGENTS, id))
                .isEmpty();
        assertThat(store.queries().find(new TenantId("other"), AuditReadOptions.Scope.EVERYTHING, id))
                .isEmpty();
        assertThat(store.queries().find(AuditStore.ACME, AuditReadOptions.Scope.EVERYTHING, 0))
                .isEmpty();
    }

    private static void insert(
            String tenant, int count, String allowed, String session, String error, String principal) {
        store.sql("""
                INSERT INTO tool_audit_logs (tenant_id, request_id, timestamp, agent_id, workspace_id, tool_name, operation,
                    parameters, allowed, status, session_id, error_code, principal, instance_id, sequence, previous_hash, hash)
                SELECT '%s', 'n' || n, '2026-03-01T00:00:00Z'::timestamptz + make_interval(secs => n), 'agent', 'w', 'bash',
                    'run', '{}', %s, CASE WHEN %s IS NULL THEN 'COMPLETED' ELSE 'FAILED' END, %s, %s, %s,
                    md5('%s')::uuid, n, '\\x00', '\\x00'
                FROM generate_series(1, %d) AS n""".formatted(tenant, allowed, error, session, error, principal, tenant, count));
    }
}
