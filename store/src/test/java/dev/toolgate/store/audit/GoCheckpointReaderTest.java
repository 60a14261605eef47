package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.store.audit.export.AuditExport;
import dev.toolgate.store.audit.retention.CheckpointedChains;
import dev.toolgate.store.checkpoint.CheckpointFolder;
import dev.toolgate.store.checkpoint.CheckpointPublisher;
import dev.toolgate.store.checkpoint.SigningKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An independent program verifies checkpoints and exports: a Go program that uses the signed note and transparency log
 * packages of the Go project.
 */
class GoCheckpointReaderTest {
    private static final Duration ONLY_MANUALLY = Duration.ofDays(1);

    @TempDir
    private static Path program;

    @TempDir
    private Path outside;

    private AuditStore store;
    private UUID chain;
    private Path keys;
    private Path checkpoints;
    private Path export;

    private record Answer(int code, String text) {}

    @BeforeAll
    static void build() throws Exception {
        for (String file : List.of("go.mod", "go.sum", "main.go")) {
            try (InputStream source = GoCheckpointReaderTest.class.getResourceAsStream("/checkpoint-reader/" + file)) {
                Files.copy(Objects.requireNonNull(source, file), program.resolve(file));
            }
        }
        ProcessBuilder go = new ProcessBuilder("go", "build", "-o", "reader", ".").directory(program.toFile());
        go.environment().put("GOTOOLCHAIN", "local");
        go.environment().put("GOFLAGS", "-mod=readonly -buildvcs=false");
        Answer built = run(go);
        assertThat(built.code()).as(built.text()).isZero();
    }

    @BeforeEach
    void seven_records_and_two_checkpoints() throws Exception {
        store = AuditStore.open();
        SigningKey key = SigningKey.loadOrCreate(outside.resolve("checkpoint.key"), "toolgate.example/audit");
        CheckpointFolder folder = new CheckpointFolder(outside.resolve("checkpoints"));
        folder.addKey(key.verifier());
        CheckpointedChains chains = new CheckpointedChains(store.database().jdbi(), folder, store.log()::heads);
        try (CheckpointPublisher publisher =
                new CheckpointPublisher(key, List.of(folder), ONLY_MANUALLY, Clock.systemUTC(), chains)) {
            record(1, 3);
            publisher.publish();
            record(4, 7);
            publisher.publish();
        }
        chain = store.log().heads().getLast().chain();
        keys = outside.resolve("checkpoints/keys");
        checkpoints = outside.resolve("checkpoints/" + chain + ".checkpoints");
        export = outside.resolve("export.jsonl");
        try (OutputStream out = Files.newOutputStream(export)) {
            new AuditExport(store.queries(), Clock.systemUTC()).write(out, AuditExport.Form.PLAIN);
        }
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void go_verifies_checkpoints_and_computes_the_same_roots() throws Exception {
        Answer answer = read();

        assertThat(answer.code()).as(answer.text()).isZero();
        String root = store.log().heads().getLast().root();
        assertThat(answer.text().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("verified " + chain + " size 3 root "))
                .contains("verified " + chain + " size 7 root " + root);
    }

    @Test
    void a_changed_note_is_rejected() throws Exception {
        Files.writeString(checkpoints, Files.readString(checkpoints).replace("\n7\n", "\n6\n"));

        assertRefused("invalid signature for key toolgate.example/audit+");
    }

    @Test
    void a_note_signed_with_another_key_is_rejected() throws Exception {
        Files.writeString(keys, SigningKey.generate("toolgate.example/audit").verifier() + "\n");

        assertRefused("note has no verifiable signatures");
    }

    @Test
    void an_export_with_a_changed_hash_is_rejected() throws Exception {
        String hash = store.all().getFirst().link().hash();
        String changed = (hash.startsWith("0") ? "1" : "0") + hash.substring(1);
        Files.writeString(export, Files.readString(export).replace(hash, changed));

        assertRefused("the 7 entries of the export have root");
    }

    @Test
    void a_truncated_export_is_rejected() throws Exception {
        List<String> lines = Files.readAllLines(export);
        Files.write(
                export, lines.stream().filter(line -> !line.contains("\"r7\"")).toList());

        assertRefused("the export has fewer entries than the checkpoint");
    }

    private void record(int first, int last) {
        for (int i = first; i <= last; i++) {
            store.log().record(AuditStore.completed("r" + i));
        }
    }

    private void assertRefused(String why) throws Exception {
        Answer answer = read();
        assertThat(answer.code()).as(answer.text()).isEqualTo(1);
        assertThat(answer.text().lines().reduce("", (_, last) -> last)).startsWith(why);
    }

    private Answer read() throws IOException, InterruptedException {
        return run(new ProcessBuilder(
                program.resolve("reader").toString(), keys.toString(), checkpoints.toString(), export.toString()));
    }

    private static Answer run(ProcessBuilder command) throws IOException, InterruptedException {
        Process process = command.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), text);
    }
}
