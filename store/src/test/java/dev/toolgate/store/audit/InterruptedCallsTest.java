package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.write.AuditItem;
import dev.toolgate.store.audit.write.AuditWriter;
import dev.toolgate.store.audit.write.NotRecorded;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InterruptedCallsTest {
    private AuditStore store;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void intents_of_a_dead_instance_are_closed_once_by_another_one() throws Exception {
        AuditWriter killed = new AuditWriter(store.database().unpooled(), Duration.ofDays(1));
        killed.write(List.of(intended(1, "begun"), intended(2, "ended")));
        killed.write(List.of(new AuditItem.Ended(CallFacts.of(AuditStore.completed("ended")), 2L, null)));
        killed.abort();

        await().untilAsserted(() -> assertThat(store.requests(AuditFilter.of(AuditStore.ACME)))
                .containsExactlyInAnyOrder("begun", "ended"));
        try (AuditStore next = AuditStore.open(store.url())) {
            assertThat(next.all()).hasSize(2);
        }
        AuditRecord begun = store.queries()
                .page(AuditFilter.of(AuditStore.ACME).request("begun"), null, 10)
                .records()
                .getFirst();
        assertThat(begun.call().status()).isEqualTo(AuditLog.Status.INTERRUPTED);
        assertThat(begun.call().allowed()).isTrue();
        assertThat(begun.call().executionTimeMs()).isNull();
        assertThat(store.count("SELECT count(*) FROM tool_intents")).isZero();
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void intents_of_a_running_instance_are_not_closed() throws Exception {
        store.log().intend(AuditStore.intent("running"));

        try (AuditStore next = AuditStore.open(store.url())) {
            next.log().record(AuditStore.completed("other"));
            assertThat(next.requests(AuditFilter.of(AuditStore.ACME))).containsExactly("other");
        }
        store.log().record(AuditStore.completed("running"));
        assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).containsExactlyInAnyOrder("running", "other");
        assertThat(store.all()).allMatch(found -> found.call().status() == AuditLog.Status.COMPLETED);
    }

    @Test
    void an_instance_that_was_declared_dead_starts_a_new_chain() throws SQLException {
        store.log().record(AuditStore.completed("before"));
        store.sql("UPDATE audit_instances SET ended_at = CURRENT_TIMESTAMP");

        await().ignoreExceptionsInstanceOf(NotRecorded.class).until(() -> {
            store.log().record(AuditStore.completed("after"));
            return true;
        });
        assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).containsExactlyInAnyOrder("before", "after");
        assertThat(store.count("SELECT count(DISTINCT instance_id) FROM tool_audit_logs"))
                .isEqualTo(2);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    private static AuditItem intended(long number, String request) {
        return new AuditItem.Intended(number, CallFacts.of(AuditStore.intent(request)), null);
    }
}
