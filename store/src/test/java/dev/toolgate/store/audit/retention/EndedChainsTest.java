package dev.toolgate.store.audit.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.chain.ChainFault;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.checkpoint.CheckpointFolder;
import dev.toolgate.store.checkpoint.CheckpointPublisher;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ended chains must not accumulate with every server start. */
@Timeout(120)
class EndedChainsTest {
    private static final Clock LATER = Clock.fixed(Instant.parse("2025-02-01T00:00:00Z"), ZoneOffset.UTC);
    private static final String ROWS = "SELECT count(*) FROM audit_instances";

    @TempDir
    private Path outside;

    private AuditStore store;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        store.log().record(AuditStore.completed("here"));
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void server_starts_without_calls_leave_neither_rows_nor_anchors() throws Exception {
        for (int i = 0; i < 5; i++) {
            startAndStop();
        }
        assertThat(store.count(ROWS)).isEqualTo(6);
        assertThat(chains(null).run()).as("not old enough").isZero();
        endedLongAgo();

        assertThat(chains(null).run()).isEqualTo(5);
        assertThat(store.count(ROWS)).isOne();
        assertThat(store.count("SELECT count(*) FROM audit_anchors")).isZero();
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_chain_with_retained_records_is_kept() throws Exception {
        try (AuditStore other = AuditStore.open(store.url())) {
            other.log().record(AuditStore.completed("kept"));
        }
        try (AuditStore other = AuditStore.open(store.url())) {
            other.log().record(AuditStore.completed("refused"));
        }
        store.sql("""
                DO $$ DECLARE names TEXT; BEGIN
                    SELECT string_agg(quote_ident(attname), ', ') INTO names FROM pg_attribute
                    WHERE attrelid = 'tool_audit_logs_rest'::regclass AND attnum > 0 AND NOT attisdropped;
                    EXECUTE format('INSERT INTO tool_audit_logs_rest (%1$s) SELECT %1$s FROM tool_audit_logs
                        WHERE request_id = %2$L', names, 'refused');
                    DELETE FROM tool_audit_logs WHERE request_id = 'refused';
                END $$""");
        endedLongAgo();

        assertThat(chains(null).run()).isZero();
        assertThat(store.count(ROWS)).isEqualTo(3);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_chain_named_by_an_anchor_is_kept_until_that_is_removed() throws Exception {
        try (AuditStore naming = AuditStore.open(store.url())) {
            startAndStop();
            naming.log().record(AuditStore.completed("later"));
            try (PostgresAuditLog last =
                    new PostgresAuditLog(store.database().unpooled(), Duration.ofSeconds(5), Duration.ofMillis(1))) {
                last.record(AuditStore.completed("last"));
            } // its last anchor names the chain of startAndStop
        }
        endedLongAgo();

        chains(null).run();
        assertThat(store.queries().verify().faults()).isEmpty();
        assertThat(store.count("""
                        SELECT count(*) FROM audit_anchors a, unnest(a.head_instances) AS head
                        WHERE NOT EXISTS (SELECT FROM audit_instances i WHERE i.instance_id = head)""")).as("anchors that name an unknown chain").isZero();
    }

    @Test
    void a_removed_chain_is_reported_unless_its_removal_was_signed() throws Exception {
        store.sql("SELECT create_audit_partitions('2024-01-01', 1)");
        SigningKey key = SigningKey.loadOrCreate(outside.resolve("checkpoint.key"), "toolgate");
        CheckpointFolder folder = new CheckpointFolder(outside.resolve("checkpoints"));
        folder.addKey(key.verifier());
        CheckpointedChains signed = new CheckpointedChains(store.database().jdbi(), folder, store.log()::heads);
        try (CheckpointPublisher publisher =
                new CheckpointPublisher(key, List.of(folder), Duration.ofDays(1), Clock.systemUTC(), signed)) {
            UUID signedChain = old();
            UUID unsignedChain = old();
            publisher.publish();
            new AuditRetention(store.database().jdbi(), LATER, RetentionSettings.defaults(), publisher::publishPrune)
                    .run();
            endedLongAgo();
            store.sql("UPDATE audit_instances SET ended_at = now() WHERE instance_id = '" + unsignedChain + "'");

            assertThat(chains(publisher::publishPrune).run()).isEqualTo(1);
            assertThat(store.queries().verify(known(folder)).faults()).isEmpty();
            assertThat(known(folder).roots(signedChain)).isNotEmpty();

            endedLongAgo();
            assertThat(chains(null).run()).isEqualTo(1);
            assertThat(store.queries().verify(known(folder)).faults())
                    .extracting(ChainFault::kind, ChainFault::instanceId)
                    .containsExactly(tuple(ChainFault.Kind.REMOVED, unsignedChain));
        }
    }

    @Test
    void the_first_anchor_names_only_recently_ended_chains() throws Exception {
        store.sql("""
                INSERT INTO audit_instances (instance_id, process_id, ended_at, last_sequence, last_hash, pruned_hash)
                SELECT gen_random_uuid(), 1, now() - interval '30 days', 1, sha256('a'), sha256('b')
                FROM generate_series(1, 300)""");
        startAndStop();
        assertThat(store.count("SELECT max(cardinality(head_instances)) FROM audit_anchors"))
                .as("before, there was no anchor")
                .isEqualTo(301);
        startAndStop();

        assertThat(store.count("SELECT min(cardinality(head_instances)) FROM audit_anchors"))
                .isLessThanOrEqualTo(2);
    }

    /** A chain with one record of 2024 that a checkpoint will cover, and an anchor after it. */
    private UUID old() throws Exception {
        try (AuditStore gone = AuditStore.open(store.url())) {
            gone.log()
                    .record(AuditStore.call(
                            "old", "alice", "bash", Instant.parse("2024-01-12T00:00:00Z"), AuditLog.Status.COMPLETED));
            store.log().record(AuditStore.completed("news"));
            return gone.log().heads().getLast().chain();
        }
    }

    private static KnownCheckpoints known(CheckpointFolder folder) throws IOException {
        KnownCheckpoints known = new KnownCheckpoints(folder.keys());
        folder.read(known::add);
        return known;
    }

    private void startAndStop() throws Exception {
        new PostgresAuditLog(store.database().unpooled(), Duration.ofSeconds(5)).close();
    }

    private void endedLongAgo() {
        store.sql("UPDATE audit_instances SET ended_at = '2020-01-01' WHERE ended_at IS NOT NULL");
    }

    private EndedChains chains(@Nullable PrunePublisher prunes) {
        return new EndedChains(store.database().jdbi(), LATER, Period.ofYears(1), prunes);
    }
}
