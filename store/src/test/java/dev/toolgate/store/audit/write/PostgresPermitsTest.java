package dev.toolgate.store.audit.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.Permits;
import dev.toolgate.core.audit.Permits.Found;
import dev.toolgate.core.audit.PermitsContract;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.requestkey.PostgresRequestKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresPermitsTest extends PermitsContract {
    private AuditStore store;
    private PostgresRequestKeys keys;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        keys = new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5));
    }

    @AfterEach
    void close() throws Exception {
        assertThat(store.queries().verify().faults()).isEmpty();
        keys.close();
        store.close();
    }

    @Override
    protected AuditLog log() {
        return store.log();
    }

    @Override
    protected RequestKeys keys() {
        return keys;
    }

    @Override
    protected Permits permits() {
        return new PostgresPermits(store.database().jdbi(), recent(), InstantSource.system());
    }

    /** The permits cached by this instance: none, as if another instance had issued them all. */
    protected RecentPermits recent() {
        return new RecentPermits();
    }

    protected AuditStore store() {
        return store;
    }

    @Override
    protected void sweep() throws Exception {
        try (AuditWriter other = new AuditWriter(store.database().unpooled(), Duration.ofDays(1))) {
            other.closeInterrupted();
        }
    }

    @Override
    protected List<String> recorded() {
        return store.all().stream()
                .map(found -> found.call())
                .map(call -> inWords(call.status(), call.executedBy(), String.valueOf(call.approvedBy())))
                .toList();
    }

    @Test
    void a_permit_of_a_dead_instance_stays_open_and_can_be_reported() throws Exception {
        AuditLog.Permit permit = permit(later());
        AuditWriter killed = new AuditWriter(store.database().unpooled(), Duration.ofDays(1));
        killed.write(List.of(
                new AuditItem.Intended(1, CallFacts.of(permit), permit.key(), permit.until()),
                new AuditItem.Intended(2, CallFacts.of(AuditStore.intent("lost")), null)));
        killed.abort();

        // The database notices after a moment that the connection of the instance has ended.
        await().untilAsserted(() -> {
            sweep();
            assertThat(recorded())
                    .as("only the call that the dead instance ran")
                    .containsExactly("INTERRUPTED gate null");
        });
        assertThat(permits().find(AuditStore.ACME, new RequestId("r1"), null))
                .singleElement()
                .isInstanceOf(Found.Open.class);
        assertThat(store.count("SELECT count(*) FROM tool_intents")).isEqualTo(1);
    }

    @Test
    void instances_that_sweep_at_once_end_each_permit_once() throws Exception {
        Instant past = Instant.now().minusSeconds(5);
        for (int i = 0; i < 50; i++) {
            store.log().permit(permit("p" + i, past));
        }

        Thread[] sweeps = new Thread[4];
        for (int i = 0; i < sweeps.length; i++) {
            sweeps[i] = Thread.ofVirtual().start(() -> {
                try {
                    sweep();
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
        }
        for (Thread each : sweeps) {
            each.join();
        }
        sweep();

        assertThat(recorded()).hasSize(50).containsOnly("INTERRUPTED client null");
        assertThat(store.count("SELECT count(*) FROM tool_intents")).isZero();
    }
}
