package dev.toolgate.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Artifact;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputCaptureTest {
    private static final int KIB = 1024;

    @TempDir
    Path folder;

    @Test
    void short_output_is_kept_whole_without_a_file() throws IOException {
        try (OutputCapture capture = capture(100 * KIB)) {
            capture.readAll(stream("hello"));

            assertThat(capture.text(100)).isEqualTo("hello");
            assertThat(capture.bytes()).isEqualTo(5);
            assertThat(capture.artifact(ArtifactRule.COMMAND_OUTPUT, "stdout.txt"))
                    .isEmpty();
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void output_above_ten_kilobytes_becomes_an_artifact() throws IOException {
        try (OutputCapture ten = capture(KIB);
                OutputCapture more = capture(KIB)) {
            ten.readAll(stream("x".repeat(10 * KIB)));
            more.readAll(stream("x".repeat(10 * KIB + 1)));

            assertThat(ten.artifact(ArtifactRule.COMMAND_OUTPUT, "stdout.txt")).isEmpty();
            assertThat(more.artifact(ArtifactRule.COMMAND_OUTPUT, "stdout.txt")).isPresent();
        }
    }

    @Test
    void an_artifact_has_every_byte_of_long_output() throws IOException {
        String text = "all the way ☃ ".repeat(20_000);
        try (OutputCapture capture = capture(1_000)) {
            capture.readAll(stream(text));
            Artifact artifact =
                    capture.artifact(ArtifactRule.COMMAND_OUTPUT, "stdout.txt").orElseThrow();

            assertThat(artifact.kind()).isEqualTo("tool_output");
            assertThat(artifact.name()).isEqualTo("stdout.txt");
            assertThat(read(artifact)).isEqualTo(text);
            assertThat(artifact.content().size()).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
            assertThat(capture.spooledBytes()).isEqualTo(capture.bytes());
        }
        assertThat(folder).isDirectoryContaining("glob:**.spool");
    }

    @Test
    void reading_continues_after_the_listener_failed() throws IOException {
        String text = "x".repeat(300 * KIB);
        try (OutputCapture capture = new OutputCapture(KIB, SpoolFolder.open(folder), _ -> {
            throw new IllegalStateException("the listener is gone");
        })) {
            capture.readAll(stream(text));

            assertThat(capture.bytes()).isEqualTo(text.length());
        }
    }

    @Test
    void an_unused_file_is_removed() throws IOException {
        try (OutputCapture capture = capture(1_000)) {
            capture.readAll(stream("x".repeat(50 * KIB)));
            assertThat(folder).isNotEmptyDirectory();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void only_the_owner_can_read_the_file() throws IOException {
        try (OutputCapture capture = capture(1_000)) {
            capture.readAll(stream("x".repeat(50 * KIB)));
            try (var files = Files.list(folder)) {
                Path file = files.findFirst().orElseThrow();
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            }
        }
    }

    @Test
    void the_spool_is_truncated_at_its_limit_with_a_note() throws IOException {
        SpoolFolder small = SpoolFolder.open(folder, 20 * KIB);
        try (OutputCapture capture = new OutputCapture(1_000, small, chunk -> {})) {
            capture.readAll(stream("x".repeat(300 * KIB)));
            Artifact artifact =
                    capture.artifact(ArtifactRule.COMMAND_OUTPUT, "stdout.txt").orElseThrow();

            assertThat(capture.bytes()).isEqualTo(300 * KIB);
            assertThat(capture.spooledBytes()).isEqualTo(20 * KIB);
            assertThat(read(artifact))
                    .isEqualTo("x".repeat(20 * KIB) + "\n[... cut: the first 20480 of 307200 bytes are kept ...]\n");
        }
    }

    @Test
    void the_text_is_kept_if_the_spool_cannot_be_written() throws IOException {
        SpoolFolder gone = SpoolFolder.open(folder.resolve("gone"));
        Files.delete(folder.resolve("gone"));
        try (OutputCapture capture = new OutputCapture(100 * KIB, gone, chunk -> {})) {
            capture.readAll(stream("x".repeat(50 * KIB)));

            assertThat(capture.text(100 * KIB)).isEqualTo("x".repeat(50 * KIB));
            assertThat(capture.artifact(ArtifactRule.COMMAND_OUTPUT, "stdout.txt"))
                    .isEmpty();
            assertThat(capture.spooledBytes()).isLessThan(capture.bytes());
        }
    }

    @Test
    void the_listener_gets_everything_in_whole_characters() throws IOException {
        String text = "a☃é𝄞".repeat(30_000);
        List<String> heard = new ArrayList<>();
        try (OutputCapture capture = new OutputCapture(1_000, SpoolFolder.open(folder), heard::add)) {
            capture.readAll(new DrippingStream(text.getBytes(StandardCharsets.UTF_8), 7));
        }

        assertThat(String.join("", heard)).isEqualTo(text);
        assertThat(heard).allMatch(piece -> StandardCharsets.UTF_8.newEncoder().canEncode(piece));
    }

    @Test
    void a_broken_stream_keeps_the_bytes_received_before() throws IOException {
        try (OutputCapture capture = capture(1_000)) {
            capture.readAll(new BreakingStream());
            assertThat(capture.text(1_000)).isEqualTo("x");
        }
    }

    @Test
    void opening_removes_abandoned_files_and_keeps_recent_ones() throws IOException {
        Path old = Files.createFile(folder.resolve("output-1.spool"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(7_200)));
        Path fresh = Files.createFile(folder.resolve("output-2.spool"));
        Path foreign = Files.createFile(folder.resolve("notes.txt"));
        Files.setLastModifiedTime(foreign, FileTime.from(Instant.now().minusSeconds(7_200)));

        SpoolFolder.open(folder);

        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
        assertThat(foreign).exists();
    }

    @Test
    void a_limit_below_the_threshold_is_an_error() {
        assertThatThrownBy(() -> SpoolFolder.open(folder, 10 * KIB)).isInstanceOf(IllegalArgumentException.class);
    }

    private OutputCapture capture(int maxTextBytes) throws IOException {
        return new OutputCapture(maxTextBytes, SpoolFolder.open(folder), chunk -> {});
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(Artifact artifact) throws IOException {
        try (InputStream bytes = artifact.content().open()) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Delivers one byte, then fails. */
    private static final class BreakingStream extends InputStream {
        private boolean broken;

        @Override
        public int read() throws IOException {
            if (broken) {
                throw new IOException("Stream closed");
            }
            broken = true;
            return 'x';
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            target[offset] = (byte) read();
            return 1;
        }
    }
}
