package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.chain.ChainAlarms;
import dev.toolgate.store.audit.chain.ChainFault;
import dev.toolgate.store.audit.export.AuditExport;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.audit.retention.AuditRetention;
import dev.toolgate.store.audit.retention.CheckpointedChains;
import dev.toolgate.store.audit.retention.RetentionSettings;
import dev.toolgate.store.audit.write.AuditItem;
import dev.toolgate.store.audit.write.AuditWriter;
import dev.toolgate.store.audit.write.NotRecorded;
import dev.toolgate.store.checkpoint.Checkpoint;
import dev.toolgate.store.checkpoint.CheckpointFolder;
import dev.toolgate.store.checkpoint.CheckpointPublisher;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.SigningKey;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attacker with write access to the whole database, but not to the checkpoints. */
class CheckpointedLogTest {
    private static final Duration ONLY_MANUALLY = Duration.ofDays(1);

    @TempDir
    private Path outside;

    private AuditStore store;
    private SigningKey key;
    private CheckpointFolder folder;
    private CheckpointPublisher publisher;
    private UUID chain;

    @BeforeEach
    void five_records_and_a_checkpoint() throws Exception {
        store = AuditStore.open();
        key = SigningKey.loadOrCreate(outside.resolve("checkpoint.key"), "toolgate");
        folder = new CheckpointFolder(outside.resolve("checkpoints"));
        folder.addKey(key.verifier());
        publisher = publisher(store);
        for (int i = 1; i <= 5; i++) {
            store.log().record(AuditStore.completed("r" + i));
        }
        publisher.publish();
        chain = store.log().heads().getLast().chain();
    }

    @AfterEach
    void close() throws Exception {
        publisher.close();
        store.close();
    }

    @Test
    void an_unmodified_log_matches_its_checkpoints() throws Exception {
        AuditChain.Report report = store.queries().verify(known());

        assertThat(report.faults()).isEmpty();
        assertThat(report.checkpoints()).isEqualTo(1);
        assertThat(verifyExport().isWhole()).isTrue();
    }

    @Test
    void a_truncated_chain_with_a_matching_head_is_detected() throws Exception {
        cutTail();

        assertThat(store.queries().verify().isWhole())
                .as("not detectable without checkpoints")
                .isTrue();
        ChainFault cut = new ChainFault(ChainFault.Kind.REMOVED, chain, 5);
        assertThat(store.queries().verify(known()).faults()).containsExactly(cut);
        assertThat(verifyExport().faults()).containsExactly(cut);
    }

    @Test
    void records_rewritten_with_valid_hashes_are_detected() throws Exception {
        rewriteFrom(3);

        assertThat(store.queries().verify().isWhole()).isTrue();
        ChainFault rewritten = new ChainFault(ChainFault.Kind.CHANGED, chain, 5);
        assertThat(store.queries().verify(known()).faults()).containsExactly(rewritten);
        assertThat(verifyExport().faults()).containsExactly(rewritten);
    }

    @Test
    void a_chain_replaced_by_another_is_detected() throws Exception {
        store.sql("DELETE FROM tool_audit_logs");
        store.sql("DELETE FROM audit_instances");
        try (AuditStore replacement = AuditStore.open(store.url())) {
            replacement.log().record(AuditStore.completed("another"));

            assertThat(replacement.queries().verify().isWhole()).isTrue();
            assertThat(replacement.queries().verify(known()).faults())
                    .contains(new ChainFault(ChainFault.Kind.REMOVED, chain, 5));
        }
    }

    @Test
    void a_checkpoint_signed_with_another_key_is_reported() throws Exception {
        cutTail();
        SigningKey another = SigningKey.generate("toolgate");
        TreeHead shorter = new TreeHead(chain, 4, "A".repeat(43) + "=");
        folder.save(Checkpoint.sign(Checkpoint.Kind.HEAD, shorter, another));

        assertThat(store.queries().verify(known()).faults())
                .contains(
                        new ChainFault(ChainFault.Kind.UNTRUSTED, chain, 4),
                        new ChainFault(ChainFault.Kind.REMOVED, chain, 5));
    }

    @Test
    void checkpoints_of_a_former_key_stay_valid() throws Exception {
        publisher.close();
        Files.move(outside.resolve("checkpoint.key"), outside.resolve("former.key"));
        SigningKey next = SigningKey.loadOrCreate(outside.resolve("checkpoint.key"), "toolgate");
        assertThat(next.verifier()).isNotEqualTo(key.verifier());
        folder.addKey(next.verifier());
        key = next;
        publisher = publisher(store);
        store.log().record(AuditStore.completed("later"));
        publisher.publish();

        AuditChain.Report report = store.queries().verify(known());
        assertThat(report.faults()).isEmpty();
        assertThat(report.checkpoints()).isEqualTo(2);
        cutTail();
        assertThat(store.queries().verify(known()).isWhole()).isFalse();
    }

    @Test
    void a_truncated_chain_raises_an_alarm_and_starts_a_new_chain() throws Exception {
        cutTail();
        assertThatThrownBy(() -> store.log().record(AuditStore.completed("refused")))
                .isInstanceOf(NotRecorded.class);
        store.log().record(AuditStore.completed("next"));

        assertThat(store.log().alarms().all()).containsExactly(new ChainAlarms.Alarm(chain, 5, 4L));
        assertThat(recordOf("next").link().instanceId()).isNotEqualTo(chain);
        assertThat(recordOf("next").link().sequence()).isEqualTo(1);
        publisher.publish();
        assertThat(store.queries().verify(known()).faults())
                .containsExactly(new ChainFault(ChainFault.Kind.REMOVED, chain, 5));
    }

    @Test
    void a_forged_head_raises_an_alarm_even_without_new_records() {
        ChainLink forged = ChainLink.after(
                chain,
                5,
                recordOf("r5").link().hash(),
                CallFacts.of(AuditStore.completed("forged")).digest());
        store.sql("UPDATE audit_instances SET last_sequence = 6, last_hash = decode('" + forged.hash()
                + "', 'hex') WHERE instance_id = '" + chain + "'");

        await().untilAsserted(() ->
                assertThat(store.log().alarms().all()).containsExactly(new ChainAlarms.Alarm(chain, 5, 6L)));
        store.log().record(AuditStore.completed("next"));
        assertThat(recordOf("next").link().instanceId()).isNotEqualTo(chain);
    }

    @Test
    void a_changed_head_hash_raises_an_alarm() {
        store.sql("UPDATE audit_instances SET last_hash = sha256(last_hash)");
        assertThatThrownBy(() -> store.log().record(AuditStore.completed("refused")))
                .isInstanceOf(NotRecorded.class);
        store.log().record(AuditStore.completed("next"));

        assertThat(store.log().alarms().all()).containsExactly(new ChainAlarms.Alarm(chain, 5, 5L));
        assertThat(recordOf("next").link().instanceId()).isNotEqualTo(chain);
    }

    @Test
    void the_chain_of_a_killed_process_is_signed_by_another_one() throws Exception {
        AuditWriter killed = new AuditWriter(store.database().unpooled(), Duration.ofDays(1));
        killed.write(List.of(new AuditItem.Ended(CallFacts.of(AuditStore.completed("last")), null, null)));
        UUID dead = killed.heads().getLast().chain();
        killed.abort();

        await().untilAsserted(() -> {
            publisher.publish();
            assertThat(known().roots(dead)).containsOnlyKeys(1L);
        });
        assertThat(store.queries().verify(known()).faults()).isEmpty();
    }

    @Test
    void a_chain_truncated_while_the_server_was_down_is_not_signed() throws Exception {
        publisher.close();
        DatabaseUrl url = store.url();
        store.close();
        try (AuditStore next = AuditStore.open(url)) {
            cutTail(next);
            next.sql("DELETE FROM audit_checkpoints"); // looks as if it had never been signed
            CheckpointedChains chains = chains(next);
            try (CheckpointPublisher later =
                    new CheckpointPublisher(key, List.of(folder), ONLY_MANUALLY, Clock.systemUTC(), chains)) {
                later.publish();
            }
            assertThat(chains.mismatches()).hasSize(1);
            assertThat(known().roots(chain)).containsOnlyKeys(5L);
            assertThat(next.queries().verify(known()).isWhole()).isFalse();
        }
        store = AuditStore.open(url);
        publisher = publisher(store);
    }

    @Test
    void retention_removes_only_what_checkpoints_cover_and_signs_it() throws Exception {
        store.sql("SELECT create_audit_partitions('2024-01-01', 2)");
        record("jan", "2024-01-10T00:00:00Z", AuditLog.Status.COMPLETED);
        record("jan-refused", "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        record("now", "2026-03-10T00:00:00Z", AuditLog.Status.COMPLETED);
        try (AuditStore old = AuditStore.open(store.url())) {
            old.log()
                    .record(AuditStore.call(
                            "old", "alice", "bash", Instant.parse("2024-01-12T00:00:00Z"), AuditLog.Status.COMPLETED));
            assertThat(retention().run()).as("no checkpoint covers it").isEmpty();
            try (CheckpointPublisher second = publisher(old)) {
                second.publish();
            }
        }
        publisher.publish();

        assertThat(retention().run()).contains(YearMonth.of(2024, 1));
        assertThat(store.requests(AuditFilter.of(AuditStore.ACME)))
                .contains("jan-refused", "now")
                .doesNotContain("old");
        assertThat(store.queries().verify(known()).faults()).isEmpty();
        assertThat(verifyExport().faults()).isEmpty();
        assertThat(store.count("SELECT count(*) FROM audit_instances WHERE pruned_sequence > 0"))
                .as("only the old chain; in the other one the old records are between younger ones")
                .isEqualTo(1);
    }

    @Test
    void records_removed_with_a_forged_pruned_mark_are_detected() throws Exception {
        store.sql("DELETE FROM tool_audit_logs WHERE sequence <= 3");
        store.sql("""
                UPDATE audit_instances SET pruned_sequence = 3, pruned_tree = NULL,
                    pruned_hash = (SELECT previous_hash FROM tool_audit_logs WHERE sequence = 4)""");

        assertThat(store.queries().verify().isWhole()).isTrue();
        assertThat(store.queries().verify(known()).faults())
                .contains(new ChainFault(ChainFault.Kind.REMOVED, chain, 3));
    }

    private void cutTail() {
        cutTail(store);
    }

    private void cutTail(AuditStore by) {
        by.sql("""
                DELETE FROM tool_audit_logs WHERE instance_id = '%1$s' AND sequence = (
                    SELECT max(sequence) FROM tool_audit_logs WHERE instance_id = '%1$s');
                UPDATE audit_instances i SET last_sequence = l.sequence, last_hash = l.hash FROM (
                    SELECT sequence, hash FROM tool_audit_logs WHERE instance_id = '%1$s'
                    ORDER BY sequence DESC LIMIT 1) l
                WHERE i.instance_id = '%1$s'""".formatted(chain));
    }

    /** Rewrites records with valid hashes. */
    private void rewriteFrom(int sequence) {
        List<AuditRecord> records = new ArrayList<>(store.all().reversed());
        String hash = records.get(sequence - 2).link().hash();
        for (AuditRecord old : records.subList(sequence - 1, records.size())) {
            String request = old.call().requestId();
            CallFacts forged = CallFacts.of(
                    AuditStore.call(request, "mallory", "bash", AuditStore.NOON, AuditLog.Status.COMPLETED));
            ChainLink link = ChainLink.after(chain, old.link().sequence() - 1, hash, forged.digest());
            store.sql("""
                    UPDATE tool_audit_logs SET agent_id = 'mallory', principal = '%s', previous_hash = decode('%s', 'hex'),
                        hash = decode('%s', 'hex') WHERE sequence = %d""".formatted(forged.principal(), hash, link.hash(), link.sequence()));
            hash = link.hash();
        }
        store.sql("UPDATE audit_instances SET last_hash = decode('" + hash + "', 'hex')");
    }

    private AuditRecord recordOf(String request) {
        return store.all().stream()
                .filter(found -> found.call().requestId().equals(request))
                .findFirst()
                .orElseThrow();
    }

    private void record(String request, String at, AuditLog.Status status) {
        store.log().record(AuditStore.call(request, "alice", "bash", Instant.parse(at), status));
    }

    private AuditRetention retention() {
        return new AuditRetention(
                store.database().jdbi(),
                Clock.fixed(Instant.parse("2025-02-01T00:00:00Z"), ZoneOffset.UTC),
                RetentionSettings.defaults(),
                publisher::publishPrune);
    }

    private CheckpointedChains chains(AuditStore of) {
        return new CheckpointedChains(of.database().jdbi(), folder, of.log()::heads);
    }

    private CheckpointPublisher publisher(AuditStore of) {
        return new CheckpointPublisher(key, List.of(folder), ONLY_MANUALLY, Clock.systemUTC(), chains(of));
    }

    private KnownCheckpoints known() throws IOException {
        KnownCheckpoints known = new KnownCheckpoints(folder.keys());
        folder.read(known::add);
        return known;
    }

    private AuditChain.Report verifyExport() throws IOException {
        KnownCheckpoints known = known();
        ByteArrayOutputStream export = new ByteArrayOutputStream();
        new AuditExport(store.queries(), Clock.systemUTC()).write(export, AuditExport.Form.GZIP);
        return AuditExport.verify(new ByteArrayInputStream(export.toByteArray()), known);
    }
}
