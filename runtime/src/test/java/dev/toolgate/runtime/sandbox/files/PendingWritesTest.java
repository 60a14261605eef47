package dev.toolgate.runtime.sandbox.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingWritesTest {
    private static final String TEMPORARY = ".toolgate-0123456789abcdef01234567.tmp";

    @TempDir
    Path temporary;

    Folders folders;
    Path notes;

    @BeforeEach
    void open() throws Exception {
        folders = Folders.in(temporary);
        notes = Files.createDirectory(folders.state().resolve("pending-writes"));
    }

    @Test
    void removes_files_of_a_dead_process() throws Exception {
        Path left = folders.file("a/" + TEMPORARY, "half");
        Path note = note(new ProcessIdentity(999_999_999, 1), folders.inside(), left);
        folders.pending();
        assertThat(left).doesNotExist();
        assertThat(note).doesNotExist();
    }

    @Test
    void a_reused_pid_is_another_process() throws Exception {
        Path left = folders.file(TEMPORARY, "half");
        note(new ProcessIdentity(ProcessHandle.current().pid(), 1), folders.inside(), left);
        folders.pending();
        assertThat(left).doesNotExist();
    }

    @Test
    void keeps_files_of_a_living_process() throws Exception {
        Path writing = folders.file(TEMPORARY, "half");
        Path note = note(ProcessIdentity.current(), folders.inside(), writing);
        folders.pending();
        assertThat(writing).exists();
        assertThat(note).exists();
    }

    @Test
    void removes_only_files_named_as_temporary_files() throws Exception {
        Path innocent = folders.file("important.txt", "x");
        Path note = note(new ProcessIdentity(999_999_999, 1), folders.inside(), innocent);
        folders.pending();
        assertThat(innocent).exists();
        assertThat(note).doesNotExist();
    }

    @Test
    void removes_nothing_outside_the_root_even_through_a_link() throws Exception {
        Path victim = Files.writeString(folders.outside().resolve(TEMPORARY), "x");
        Files.createSymbolicLink(folders.inside().resolve("link"), folders.outside());
        note(
                new ProcessIdentity(999_999_999, 1),
                folders.inside(),
                folders.inside().resolve("link").resolve(TEMPORARY));
        note(new ProcessIdentity(999_999_999, 2), folders.inside(), victim);
        note(
                new ProcessIdentity(999_999_999, 3),
                folders.inside(),
                folders.inside().resolve("../outside").resolve(TEMPORARY));
        folders.pending();
        assertThat(victim).exists();
    }

    @Test
    void ignores_malformed_records() throws Exception {
        Files.writeString(notes.resolve("nonsense.pending"), "no path at all");
        Files.writeString(notes.resolve("1-2-x.pending"), "\0\0\0");
        Files.writeString(notes.resolve("1-3-x.pending"), "/does/not/exist\0/does/not/exist/" + TEMPORARY);
        folders.pending();
        assertThat(notes).isEmptyDirectory();
    }

    private Path note(ProcessIdentity who, Path root, Path temporary) throws Exception {
        return Files.writeString(notes.resolve(who + "-x.pending"), root.toRealPath() + "\0" + temporary);
    }
}
