package dev.toolgate.store.audit.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.chain.ChainFault;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnchorsTest {
    private AuditStore first;
    private AuditStore second;
    private UUID victim;

    @BeforeEach
    void two_instances() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        first = AuditStore.open(url);
        for (int i = 1; i <= 5; i++) {
            first.log().record(AuditStore.completed("first" + i));
        }
        victim = first.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT instance_id FROM tool_audit_logs LIMIT 1")
                .mapTo(UUID.class)
                .one());
        second = AuditStore.open(url); // anchors the head of the first chain
        second.log().record(AuditStore.completed("second"));
    }

    @AfterEach
    void close() throws Exception {
        second.close();
        first.close();
    }

    @Test
    void a_new_instance_anchors_the_heads_of_all_others() {
        AuditChain.Report report = first.queries().verify();

        assertThat(report.faults()).isEmpty();
        assertThat(report.records()).isEqualTo(6);
        assertThat(report.anchors()).isEqualTo(1);
        assertThat(second.requests(AuditFilter.of(AuditStore.ACME)))
                .as("anchors are not records")
                .hasSize(6);
    }

    @Test
    void removing_a_whole_chain_with_its_row_is_detected() {
        second.sql("DELETE FROM tool_audit_logs WHERE instance_id = '" + victim + "'");
        second.sql("DELETE FROM audit_instances WHERE instance_id = '" + victim + "'");

        assertThat(second.queries().verify().faults())
                .containsExactly(new ChainFault(ChainFault.Kind.REMOVED, victim, 5));
    }

    @Test
    void truncating_a_chain_with_a_matching_row_is_detected() {
        second.sql("DELETE FROM tool_audit_logs WHERE sequence > 3 AND instance_id = '" + victim + "'");
        second.sql("""
                UPDATE audit_instances i SET last_sequence = 3, last_hash = l.hash FROM tool_audit_logs l
                WHERE l.instance_id = i.instance_id AND l.sequence = 3 AND i.instance_id = '%s'""".formatted(victim));

        assertThat(second.queries().verify().faults())
                .containsExactly(new ChainFault(ChainFault.Kind.REMOVED, victim, 5));
    }

    @Test
    void a_rewritten_chain_is_detected() {
        rewrite("UPDATE tool_audit_logs SET hash = sha256(hash) WHERE sequence = 5 AND instance_id = '%s'");
        rewrite("UPDATE audit_instances SET last_hash = sha256(last_hash) WHERE instance_id = '%s'");

        assertThat(second.queries().verify().faults()).contains(new ChainFault(ChainFault.Kind.CHANGED, victim, 5));
    }

    @Test
    void a_changed_or_removed_anchor_is_detected() {
        second.sql("UPDATE audit_anchors SET head_sequences = ARRAY[3::bigint]");
        assertThat(second.queries().verify().faults())
                .extracting(ChainFault::kind)
                .contains(ChainFault.Kind.CHANGED);

        second.sql("DELETE FROM audit_anchors");
        assertThat(second.queries().verify().faults())
                .extracting(ChainFault::kind)
                .contains(ChainFault.Kind.REMOVED);
    }

    @Test
    void heads_are_anchored_periodically_and_at_shutdown() throws Exception {
        try (PostgresAuditLog busy =
                new PostgresAuditLog(first.database().unpooled(), Duration.ofSeconds(5), Duration.ofMillis(1))) {
            first.log().record(AuditStore.completed("later"));
            await().until(() ->
                    first.count("SELECT max(head_sequences[1]) FROM audit_anchors WHERE head_instances[1] = '" + victim
                                    + "'")
                            >= 6);
            busy.record(AuditStore.completed("busy"));
        }
        first.log().record(AuditStore.completed("last"));
        second.close();

        assertThat(first.count("""
                        SELECT max(sequence) FROM audit_anchors, unnest(head_instances, head_sequences) AS h (i, s)
                        WHERE h.i = '%s' AND h.s = 7""".formatted(victim)))
                .as("the stopped instance has anchored the last record")
                .isPositive();
        assertThat(first.queries().verify().faults()).isEmpty();
        second = AuditStore.open(first.url());
    }

    @Test
    void idle_instances_write_no_anchors() throws Exception {
        for (int i = 0; i < 3; i++) {
            new PostgresAuditLog(first.database().unpooled(), Duration.ofSeconds(5)).close();
        }
        AuditWriter idle = new AuditWriter(first.database().unpooled(), Duration.ofDays(1));
        idle.anchor();
        long before = first.count("SELECT count(*) FROM audit_anchors");
        idle.anchor();
        idle.anchor();
        idle.close();

        assertThat(first.count("SELECT count(*) FROM audit_anchors")).isEqualTo(before);
    }

    private void rewrite(String sql) {
        second.sql(sql.formatted(victim));
    }
}
