package dev.toolgate.store.audit.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.export.AuditExport;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.requestkey.PostgresRequestKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditArchiveTest {
    private static final Instant LATER = Instant.parse("2025-03-01T00:00:00Z");

    @TempDir
    private Path folder;

    private AuditStore store;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        store.sql("SELECT create_audit_partitions('2024-01-01', 4)");
        for (int i = 0; i < 5; i++) {
            record("jan" + i, "2024-01-1" + i + "T00:00:00Z", AuditLog.Status.COMPLETED);
        }
        record("jan-refused", "2024-01-20T00:00:00Z", AuditLog.Status.REFUSED);
        record("feb", "2024-02-10T00:00:00Z", AuditLog.Status.COMPLETED);
        record("jan-late", "2024-01-31T23:59:59Z", AuditLog.Status.COMPLETED);
        record("mar", "2024-03-10T00:00:00Z", AuditLog.Status.COMPLETED);
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void each_dropped_month_is_archived_in_a_file_that_verifies() throws Exception {
        assertThat(retention(folder, LATER).run()).containsExactly(YearMonth.of(2024, 1), YearMonth.of(2024, 2));

        assertThat(files()).containsExactly("audit-2024-01.jsonl.gz", "audit-2024-02.jsonl.gz");
        AuditChain.Report january = verify(folder.resolve("audit-2024-01.jsonl.gz"));
        assertThat(january.faults()).isEmpty();
        assertThat(january.records()).as("including records in between").isEqualTo(8);
        assertThat(verify(folder.resolve("audit-2024-02.jsonl.gz")).isWhole()).isTrue();
        assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).containsExactly("mar", "jan-refused");
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_line_missing_from_an_archive_is_detected() throws Exception {
        retention(folder, LATER).run();
        List<String> lines;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve("audit-2024-01.jsonl.gz")))) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        for (String line : lines) {
            List<String> rest = new ArrayList<>(lines);
            rest.remove(line);
            assertThat(isFound(String.join("\n", rest))).as(line).isTrue();
        }
    }

    @Test
    void a_month_that_cannot_be_archived_is_not_dropped() throws Exception {
        Path notAFolder = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> retention(notAFolder, LATER).run())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2024-01 could not be archived, so they were not deleted");
        assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).hasSize(9);
    }

    @Test
    void existing_archives_are_kept_and_failed_runs_leave_no_file() throws Exception {
        Files.writeString(folder.resolve("audit-2024-01.jsonl.gz"), "somebody else's");
        store.sql("""
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE check_violation; END';
                CREATE TRIGGER refuse BEFORE UPDATE ON audit_instances FOR EACH ROW EXECUTE FUNCTION refuse()""");
        assertThatThrownBy(() -> retention(folder, LATER).run()).isInstanceOf(RuntimeException.class);
        assertThat(files()).containsExactly("audit-2024-01.jsonl.gz");

        store.sql("DROP TRIGGER refuse ON audit_instances");
        retention(folder, LATER).run();
        assertThat(folder.resolve("audit-2024-01.jsonl.gz")).hasContent("somebody else's");
        assertThat(verify(folder.resolve("audit-2024-01-2.jsonl.gz")).records()).isEqualTo(8);
    }

    @Test
    void two_instances_archive_each_month_once() throws Exception {
        List<Future<List<YearMonth>>> runs = new ArrayList<>();
        try (AuditStore second = AuditStore.open(store.url());
                var instances = Executors.newVirtualThreadPerTaskExecutor()) {
            for (AuditStore instance : List.of(store, second)) {
                Callable<List<YearMonth>> run =
                        () -> retention(instance, folder, LATER).run();
                runs.add(instances.submit(run));
            }
        }
        List<YearMonth> dropped = new ArrayList<>();
        for (Future<List<YearMonth>> run : runs) {
            dropped.addAll(run.get());
        }
        assertThat(dropped).containsExactlyInAnyOrder(YearMonth.of(2024, 1), YearMonth.of(2024, 2));
        assertThat(files()).hasSize(2);
    }

    @Test
    void outcomes_expire_after_a_day_and_request_ids_with_their_records() throws Exception {
        RequestKey key = new RequestKey(AuditStore.ACME, AuditStore.ALICE, new RequestId("r1"), "ab".repeat(32));
        store.log()
                .record(
                        AuditStore.completed("r1"),
                        KeptAnswer.ofUnstarted(key, new Outcome.Completed(Output.text("done")), Claim.NEW));
        Instant now = Instant.now();
        try (PostgresRequestKeys keys = new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5))) {
            AuditRetention today = retention(null, now.plus(Duration.ofHours(23)));
            today.run();
            assertThat(keys.find(key)).isInstanceOf(Earlier.SameCall.class);
            retention(null, now.plus(Duration.ofHours(25))).run();
            assertThat(keys.find(key)).isEqualTo(new Earlier.Forgotten());
            retention(null, now.plus(Duration.ofDays(367))).run();
            assertThat(keys.find(key)).isEqualTo(new Earlier.Nothing());
        }
    }

    private static boolean isFound(String export) {
        try {
            return !AuditExport.verify(new ByteArrayInputStream(export.getBytes(StandardCharsets.UTF_8)))
                    .isWhole();
        } catch (IOException refused) {
            return true;
        }
    }

    private static AuditChain.Report verify(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return AuditExport.verify(in);
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void record(String request, String at, AuditLog.Status status) {
        store.log().record(AuditStore.call(request, "alice", "bash", Instant.parse(at), status));
    }

    private AuditRetention retention(@Nullable Path archive, Instant now) {
        return retention(store, archive, now);
    }

    private static AuditRetention retention(AuditStore instance, @Nullable Path archive, Instant now) {
        return new AuditRetention(
                instance.database().jdbi(),
                Clock.fixed(now, ZoneOffset.UTC),
                RetentionSettings.defaults().archivingTo(archive));
    }
}
