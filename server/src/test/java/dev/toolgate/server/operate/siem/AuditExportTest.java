package dev.toolgate.server.operate.siem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.server.operate.trace.Collector;
import dev.toolgate.server.operate.trace.OpenTelemetryParts;
import dev.toolgate.server.operate.trace.Telemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditExportTest {
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final long LARGE = 1_000_000;

    @TempDir
    private Path folder;

    private final ListSource source = new ListSource();

    private Path file() {
        return folder.resolve("logs/audit.jsonl");
    }

    private SiemExport toFile(long fullAt, int kept) throws IOException {
        return new SiemExport("follow", source, new FollowedFile(file(), fullAt, kept), PAUSE);
    }

    private static List<String> records(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(n -> "{\"n\":" + n + "}")
                .toList();
    }

    private void awaitLines(List<String> lines) {
        await().untilAsserted(() -> assertThat(Files.readAllLines(file())).isEqualTo(lines));
    }

    @Test
    void every_record_is_written_once_in_order_across_restarts() throws Exception {
        source.add(1200);
        try (SiemExport _ = toFile(LARGE, 1)) {
            awaitLines(records(1, 1200));
            source.add(3);
            awaitLines(records(1, 1203));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                    .isIn("rw-r-----", "rw-------"); // depends on the umask
        }
        source.add(7);
        try (SiemExport _ = toFile(LARGE, 1)) {
            awaitLines(records(1, 1210));
        }
    }

    @Test
    void a_rotation_that_failed_is_tried_again() throws Exception {
        Path obstacle =
                Files.createDirectories(file().resolveSibling("audit.jsonl.1").resolve("not-empty"));
        try (FollowedFile followed = new FollowedFile(file(), 1, 1)) {
            followed.take(List.of(new AuditSource.Item("{\"n\":1}", "1")));
            List<AuditSource.Item> second = List.of(new AuditSource.Item("{\"n\":2}", "2"));
            assertThatThrownBy(() -> followed.take(second)).isInstanceOf(IOException.class);
            Files.delete(obstacle);

            followed.take(second);
            assertThat(Files.readAllLines(file())).isEqualTo(records(2, 2));
            assertThat(Files.readAllLines(file().resolveSibling("audit.jsonl.1")))
                    .isEqualTo(records(1, 1));
        }
    }

    @Test
    void an_outage_of_the_source_loses_nothing() throws Exception {
        source.reachable(false);
        source.add(5);
        try (SiemExport _ = toFile(LARGE, 1)) {
            source.reachable(true);
            awaitLines(records(1, 5));
        }
    }

    @Test
    void a_crash_before_the_cursor_is_written_repeats_but_loses_no_records() throws Exception {
        source.add(4);
        try (SiemExport _ = toFile(LARGE, 1)) {
            awaitLines(records(1, 4));
        }
        Files.writeString(file().resolveSibling("audit.jsonl.cursor"), "2");
        Files.writeString(file(), "{\"n\":5", StandardOpenOption.APPEND);
        source.add(1);
        try (SiemExport _ = toFile(LARGE, 1)) {
            awaitLines(List.of(
                    "{\"n\":1}",
                    "{\"n\":2}",
                    "{\"n\":3}",
                    "{\"n\":4}",
                    "{\"n\":5",
                    "{\"n\":3}",
                    "{\"n\":4}",
                    "{\"n\":5}"));
        }
    }

    @Test
    void full_files_are_rotated_up_to_a_number() throws Exception {
        for (int round = 1; round <= 4; round++) {
            source.add(1);
            try (SiemExport _ = toFile(10, 2)) {
                awaitLines(records(round, round));
            }
        }
        assertThat(file().resolveSibling("audit.jsonl.1")).hasContent("{\"n\":3}");
        assertThat(file().resolveSibling("audit.jsonl.2")).hasContent("{\"n\":2}");
        try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("audit.jsonl", "audit.jsonl.1", "audit.jsonl.2", "audit.jsonl.cursor");
        }
    }

    @Test
    void records_reach_a_collector_after_an_outage_exactly_once() throws Exception {
        Path cursor = folder.resolve("otlp.cursor");
        try (Collector collector = new Collector()) {
            collector.answer(400);
            source.add(2);
            try (OpenTelemetryParts telemetry = telemetry(collector);
                    SiemExport _ = new SiemExport(
                            "otlp", source, telemetry.auditLogs(cursor).orElseThrow(), PAUSE)) {
                await().during(Duration.ofMillis(200)).until(() -> !Files.exists(cursor));
                collector.answer(200);
                await().until(() ->
                        Files.exists(cursor) && Files.readString(cursor).equals("2"));
            }
            assertThat(collector.logRecords().stream()
                            .map(record -> record.messages(5).getFirst().text(1)))
                    .containsExactlyElementsOf(records(1, 2));
            source.add(1);
            try (OpenTelemetryParts telemetry = telemetry(collector);
                    SiemExport _ = new SiemExport(
                            "otlp", source, telemetry.auditLogs(cursor).orElseThrow(), PAUSE)) {
                await().until(() -> Files.readString(cursor).equals("3"));
            }
            assertThat(collector.logRecords()).hasSize(3);
        }
    }

    private static OpenTelemetryParts telemetry(Collector collector) {
        return Telemetry.open(Map.of("OTEL_LOGS_EXPORTER", "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()))
                .orElseThrow();
    }

    @Test
    void the_audit_log_is_not_exported_because_traces_are() throws Exception {
        try (Collector collector = new Collector();
                OpenTelemetryParts telemetry = Telemetry.open(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()))
                        .orElseThrow()) {
            assertThat(telemetry.auditLogs(folder.resolve("cursor"))).isEmpty();
        }
    }
}
