package dev.toolgate.store.audit.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.FirstVersion;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.ChainEntry;
import dev.toolgate.store.audit.record.ChainLink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditChainTest {
    private static AuditStore store;
    private static final List<AuditRecord> written = new ArrayList<>();
    private static final List<ChainEnds> ends = new ArrayList<>();

    @BeforeAll
    static void write() throws Exception {
        store = AuditStore.open();
        for (int i = 1; i <= 5; i++) {
            store.log().record(AuditStore.completed("r" + i));
        }
        boolean _ = store.queries().chains(chains -> {
            chains.entries().forEachRemaining(entry -> written.add((AuditRecord) entry));
            return ends.addAll(chains.ends());
        });
    }

    @AfterAll
    static void close() throws Exception {
        store.close();
    }

    @Test
    void an_unmodified_log_verifies() {
        AuditChain.Report report = store.queries().verify();

        assertThat(report.faults()).isEmpty();
        assertThat(report.records()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent_id = 'eve'",
                "tenant_id = 'other'",
                "request_id = 'r9'",
                "timestamp = timestamp + interval '1 second'",
                "tool_name = 'file_read'",
                "operation = 'other'",
                "parameters = '{}'",
                "status = 'FAILED'",
                "result_summary = NULL",
                "execution_time_ms = 0",
                "cost = 1",
                "session_id = ''",
                "project_id = 'p'",
                "error_code = 'INTERNAL_ERROR'",
                "approved_by = 'eve'",
                "approved_at = now()",
                "approval_reason = 'fine'",
                "approval_rule_id = 'rule'",
                "denial_reason = ''",
                "workspace_id = 'w'",
                "principal = 'eve'",
                "principal = NULL",
                "previous_hash = hash",
                "hash = previous_hash",
                "sequence = 30",
                "instance_id = gen_random_uuid()",
            })
    void a_changed_row_is_detected(String change) {
        tampered("UPDATE tool_audit_logs SET " + change + " WHERE sequence = 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3", "5", "4 OR sequence = 5", "4 OR true"})
    void a_removed_row_is_detected_at_any_position(String sequence) {
        tampered("DELETE FROM tool_audit_logs WHERE sequence = " + sequence);
    }

    @Test
    void swapped_rows_are_detected() {
        tampered("""
                UPDATE tool_audit_logs SET sequence = -2 WHERE sequence = 2;
                UPDATE tool_audit_logs SET sequence = 2 WHERE sequence = 3;
                UPDATE tool_audit_logs SET sequence = 3 WHERE sequence = -2""");
    }

    @Test
    void a_record_without_a_principal_keeps_its_digest() {
        CallFacts old = FirstVersion.facts(
                "acme",
                "r1",
                Instant.parse("2026-03-01T12:00:00.5Z"),
                "alice",
                null,
                "w",
                null,
                "bash",
                "execute",
                "{\"a\":1}",
                true,
                AuditLog.Status.COMPLETED,
                null,
                null,
                null,
                3,
                "OK",
                null,
                null);

        assertThat(old.digest()).isEqualTo("9dffbcdf2237ebcf278cdee9ef423166cba796721141ccbb1de70f8843e610a4");
    }

    @Test
    void a_changed_decision_is_detected() {
        tampered("UPDATE tool_audit_logs SET allowed = false WHERE sequence = 3");
    }

    @Test
    void a_record_removed_from_an_export_is_detected() {
        for (AuditRecord missing : written) {
            List<AuditRecord> rest = new ArrayList<>(written);
            rest.remove(missing);
            assertThat(kinds(rest)).contains(ChainFault.Kind.REMOVED);
        }
    }

    @Test
    void reordered_and_repeated_records_of_an_export_are_detected() {
        List<AuditRecord> swapped = new ArrayList<>(written);
        Collections.swap(swapped, 1, 2);
        assertThat(kinds(swapped)).contains(ChainFault.Kind.REORDERED);

        List<AuditRecord> repeated = new ArrayList<>(written);
        repeated.add(3, written.get(2));
        assertThat(kinds(repeated)).containsExactly(ChainFault.Kind.REORDERED);
    }

    @Test
    void a_rewritten_record_with_a_valid_hash_is_detected_at_the_next_one() {
        AuditRecord old = written.get(2);
        CallFacts forged = CallFacts.of(AuditStore.completed("forged"));
        ChainLink link = ChainLink.after(
                old.link().instanceId(), old.link().sequence() - 1, old.link().previousHash(), forged.digest());
        List<AuditRecord> rewritten = new ArrayList<>(written);
        rewritten.set(2, new AuditRecord(old.id(), forged, link));

        assertThat(verify(rewritten).faults())
                .containsExactly(new ChainFault(ChainFault.Kind.CHANGED, link.instanceId(), 4));
    }

    private static AuditChain.Report verify(List<AuditRecord> records) {
        return AuditChain.verify(new Chains(
                Chains.Extent.WHOLE,
                ends,
                List.of(),
                records.stream().map(ChainEntry.class::cast).iterator()));
    }

    private static List<ChainFault.Kind> kinds(List<AuditRecord> records) {
        return verify(records).faults().stream().map(ChainFault::kind).toList();
    }

    private static void tampered(String sql) {
        store.sql("CREATE TABLE untouched AS SELECT * FROM tool_audit_logs");
        try {
            store.sql(sql);
            assertThat(store.queries().verify().faults()).isNotEmpty();
        } finally {
            store.sql("TRUNCATE tool_audit_logs");
            store.sql("INSERT INTO tool_audit_logs OVERRIDING SYSTEM VALUE SELECT * FROM untouched");
            store.sql("DROP TABLE untouched");
        }
        assertThat(store.queries().verify().faults()).isEmpty();
    }
}
