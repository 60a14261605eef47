package dev.toolgate.runtime.tools.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.files.Folders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Kills a writing process repeatedly. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(180)
class KilledWriterTest {
    private enum Moment {
        IN_A_WRITE,
        AFTER_A_WRITE
    }

    @TempDir
    Path temporary;

    @Test
    void the_file_is_old_or_new_and_the_next_start_cleans_up() throws Exception {
        killAndLook(8);
    }

    @Test
    @Tag("soak")
    @Timeout(1800)
    void the_file_is_old_or_new_after_three_hundred_kills() throws Exception {
        killAndLook(300);
    }

    private void killAndLook(int rounds) throws Exception {
        Folders folders = Folders.in(temporary);
        Path file = folders.file("deep/file.txt", WritingProgram.content('b'));
        List<String> whole = List.of(WritingProgram.content('a'), WritingProgram.content('b'));
        int interrupted = 0;
        for (int round = 0; round < rounds; round++) {
            killWhileWriting(folders, round % 2 == 0 ? Moment.IN_A_WRITE : Moment.AFTER_A_WRITE);
            assertThat(whole.contains(Files.readString(file)))
                    .as("old or new, whole")
                    .isTrue();
            interrupted += temporaryFiles(folders).size();
        }
        assertThat(interrupted)
                .as("some kill must have come in the middle of a write")
                .isPositive();
        folders.pending();
        assertThat(temporaryFiles(folders)).isEmpty();
        assertThat(folders.state().resolve("pending-writes")).isEmptyDirectory();
        assertThat(whole.contains(Files.readString(file))).isTrue();
    }

    private void killWhileWriting(Folders folders, Moment when) throws IOException, InterruptedException {
        Path errors = temporary.resolve("errors.txt");
        Process writer = ChildJvm.start(WritingProgram.class, "128m", errors, folders.inside(), folders.state());
        try (BufferedReader progress = writer.inputReader()) {
            for (int seen = 0; seen < 3; seen++) {
                assertThat(progress.readLine())
                        .as("the writer stopped: %s", Files.readString(errors))
                        .isNotNull();
            }
            while (when == Moment.IN_A_WRITE && temporaryFiles(folders).isEmpty()) {
                Thread.onSpinWait();
            }
        } finally {
            writer.destroyForcibly().waitFor();
        }
    }

    private static List<Path> temporaryFiles(Folders folders) throws IOException {
        try (Stream<Path> all = Files.walk(folders.inside())) {
            return all.filter(path -> path.toString().endsWith(".tmp")).toList();
        } catch (UncheckedIOException goneMeanwhile) {
            return List.of();
        }
    }
}
