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
            // Three at a time share a moment, so that pages break within one.
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
    void newest_come_first() {
        assertThat(store.requests(ALL))
                .hasSize(30)
                .startsWith("r29", "r28", "r27")
                .endsWith("r0");
    }

    @Test
    void pages_follow_each_other_without_a_gap_also_when_records_are_added_in_between() throws Exception {
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
    void text_is_found_in_any_case_and_taken_literally() {
        assertThat(store.requests(ALL.text("LS R7"))).containsExactly("r7");
        assertThat(store.requests(ALL.text("not permitted"))).hasSize(6);
        assertThat(store.requests(ALL.text("%"))).isEmpty();
        assertThat(store.requests(ALL.text("_s r7"))).isEmpty();
        assertThat(store.requests(ALL.text("\\"))).isEmpty();
        assertThat(store.requests(ALL.text("' OR true --"))).isEmpty();
        assertThat(store.requests(ALL.text("\0"))).isEmpty();
    }

    @Test
    void an_export_gives_everything_in_the_same_order() {
        List<String> exported = new ArrayList<>();
        long count =
                store.queries().export(ALL, found -> exported.add(found.call().requestId()));

        assertThat(count).isEqualTo(30);
        assertThat(exported).isEqualTo(store.requests(ALL));
    }

    @Test
    void a_page_that_no_link_names_is_refused() {
        for (String token : List.of("", "-", "1", "a-b", "1-", "-1", "99999999999999999999-1")) {
            assertThatThrownBy(() -> AuditPosition.parse(token)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void the_questions_of_the_log_use_its_indexes() {
        assertThat(plan("tenant_id = 'acme' AND agent_id = 'alice'")).contains("agent_id_timestamp_id_idx");
        assertThat(plan("tenant_id = 'acme' AND tool_name = 'bash'")).contains("tool_name_timestamp_id_idx");
        assertThat(plan("tenant_id = 'acme' AND NOT allowed")).contains("Index");
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
}
