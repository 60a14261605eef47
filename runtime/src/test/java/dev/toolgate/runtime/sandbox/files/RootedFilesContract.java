package dev.toolgate.runtime.sandbox.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of {@link RootedFiles} implementations. */
abstract class RootedFilesContract {
    @TempDir
    Path temporary;

    Folders folders;
    RootedFiles files;

    abstract RootedFiles at(Path root, Account account, PendingWrites pending);

    @BeforeEach
    void open() {
        folders = Folders.in(temporary);
        files = at(folders.inside(), folders.account(), folders.pending());
    }

    @Test
    void reads_a_file_in_a_folder() throws Exception {
        folders.file("a/b.txt", "hello");
        assertThat(read("a/b.txt")).isEqualTo("hello");
    }

    @Test
    void creates_a_file_and_its_folders() throws Exception {
        write("a/b/c.txt", "new");
        assertThat(folders.inside().resolve("a/b/c.txt")).hasContent("new");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folders.inside().resolve("a/b/c.txt"))))
                .isEqualTo("rw-r--r--");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void swaps_only_what_is_expected() throws Exception {
        Path file = folders.file("a.txt", "left");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-----"));
        assertThat(swap("a.txt", "other", "former")).isFalse();
        assertThat(swap("a.txt", null, "former")).isFalse();
        assertThat(file).hasContent("left");

        assertThat(swap("a.txt", "left", "former")).isTrue();
        assertThat(file).hasContent("former");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-----");
        assertThat(swap("a.txt", "left", null)).isFalse();
        assertThat(swap("a.txt", "former", null)).isTrue();
        assertThat(file).doesNotExist();
        assertThat(swap("a.txt", "former", "x")).isFalse();
        assertThat(swap("gone/a.txt", "former", "x")).isFalse();

        assertThat(swap("gone/a.txt", null, "back")).isTrue();
        assertThat(folders.inside().resolve("gone/a.txt")).hasContent("back");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folders.inside().resolve("gone/a.txt"))))
                .isEqualTo("rwx------");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void swaps_no_file_in_another_place() throws Exception {
        Path file = folders.file("real.txt", "left");
        FileSwap elsewhere = new FileSwap("other.txt", "left".getBytes(UTF_8), "former".getBytes(UTF_8), 0600);
        assertThat(files.swap(Target.of("real.txt"), elsewhere, FileGuard.OPEN)).isFalse();
        assertThat(file).hasContent("left");
    }

    boolean swap(String path, @Nullable String expected, @Nullable String wanted)
            throws ToolFailure, InterruptedException {
        return files.swap(
                Target.of(path),
                new FileSwap(
                        path,
                        expected == null ? null : expected.getBytes(UTF_8),
                        wanted == null ? null : wanted.getBytes(UTF_8),
                        0700),
                FileGuard.OPEN);
    }

    @Test
    void creates_no_folder_unless_requested() {
        ToolFailure failure =
                failure(() -> files.write(Target.of("a/c.txt"), new byte[1], Parents.REQUIRE, FileGuard.OPEN));
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
        assertThat(folders.inside().resolve("a")).doesNotExist();
    }

    @Test
    void replaces_a_file_and_keeps_its_mode() throws Exception {
        Path file = folders.file("run.sh", "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
        write("run.sh", "new");
        assertThat(file).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x---");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void an_open_reader_keeps_the_old_content_after_a_write() throws Exception {
        Path file = folders.file("a.txt", "old");
        try (SeekableByteChannel reader = Files.newByteChannel(file)) {
            write("a.txt", "new");
            ByteBuffer seen = ByteBuffer.allocate(10);
            reader.read(seen);
            assertThat(new String(seen.array(), 0, seen.position(), UTF_8)).isEqualTo("old");
        }
    }

    @Test
    void does_not_replace_a_file_that_is_read_only() throws Exception {
        Path file = folders.file("a.txt", "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertThat(failure(() -> write("a.txt", "new")).failure().code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(file).hasContent("old");
    }

    @Test
    void an_interrupted_write_changes_and_leaves_nothing() throws Exception {
        Path file = folders.file("a.txt", "old");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> write("a.txt", "new")).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted())
                .as("the exception reports the interrupt")
                .isFalse();
        assertThat(file).hasContent("old");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void a_write_that_cannot_be_recorded_is_not_started() throws Exception {
        Path file = folders.file("a.txt", "old");
        Files.delete(folders.state().resolve("pending-writes"));
        assertThat(failure(() -> write("a.txt", "new"))).hasMessageContaining("Nothing was written");
        assertThat(file).hasContent("old");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void deletes_a_file() throws Exception {
        Path file = folders.file("a/b.txt", "x");
        files.delete(Target.of("a/b.txt"), FileGuard.OPEN);
        assertThat(file).doesNotExist();
    }

    @Test
    void does_not_delete_a_folder() throws Exception {
        Path folder = folders.folder("a");
        ToolFailure failure = failure(() -> files.delete(Target.of("a"), FileGuard.OPEN));
        assertThat(failure).hasMessageContaining("is a folder");
        assertThat(folder).exists();
    }

    @Test
    void deletes_one_of_two_hard_links() throws Exception {
        Path link = Files.createLink(folders.inside().resolve("second"), folders.victim());
        files.delete(Target.of("second"), FileGuard.OPEN);
        assertThat(link).doesNotExist();
        assertThat(folders.victim()).hasContent(Folders.SECRET);
    }

    @Test
    void lists_entries_by_name_with_their_kind() throws Exception {
        folders.file("b.txt", "12345");
        folders.folder("c");
        folders.file("a.txt", "1");
        Files.createSymbolicLink(folders.inside().resolve("d"), Path.of("c"));
        Listing listing = files.list(Target.of(""), 10, FileGuard.OPEN);
        assertThat(listing.entries())
                .extracting(Listing.Entry::name, Listing.Entry::kind)
                .containsExactly(
                        tuple("a.txt", FileKind.FILE),
                        tuple("b.txt", FileKind.FILE),
                        tuple("c", FileKind.FOLDER),
                        tuple("d", FileKind.LINK));
        assertThat(listing.entries().get(1).size()).isEqualTo(5);
    }

    @Test
    void lists_the_first_names_of_a_large_folder_and_counts_the_rest() throws Exception {
        for (int number = 0; number < 300; number++) {
            folders.file("many/%03d".formatted(number), "");
        }
        Listing listing = files.list(Target.of("many"), 5, FileGuard.OPEN);
        assertThat(listing.entries())
                .extracting(Listing.Entry::name)
                .containsExactly("000", "001", "002", "003", "004");
        assertThat(listing.total()).isEqualTo(300);
    }

    @Test
    void reports_file_not_found() {
        assertThat(failure(() -> read("none"))).hasMessage("file not found: none");
        assertThat(failure(() -> read("none/deeper"))).hasMessageContaining("file not found");
        assertThat(failure(() -> files.delete(Target.of("none"), FileGuard.OPEN)))
                .hasMessage("file not found: none");
        assertThat(failure(() -> files.list(Target.of("none"), 1, FileGuard.OPEN)))
                .hasMessage("file not found: none");
    }

    @Test
    void never_follows_a_link_out() throws Exception {
        Files.createSymbolicLink(folders.inside().resolve("file"), folders.victim());
        Files.createSymbolicLink(folders.inside().resolve("folder"), folders.outside());
        Files.createSymbolicLink(folders.inside().resolve("up"), Path.of("../outside"));
        Files.createSymbolicLink(folders.inside().resolve("proc"), Path.of("/proc/self/root"));
        Files.createSymbolicLink(folders.inside().resolve("cwd"), Path.of("/proc/self/cwd"));
        Stream.of("file", "folder/victim.txt", "up/victim.txt", "proc/etc/passwd", "cwd/pom.xml")
                .forEach(path -> {
                    failure(() -> read(path));
                    failure(() -> write(path, "overwritten"));
                    failure(() -> files.delete(Target.of(path), FileGuard.OPEN));
                });
        Stream.of("folder", "up", "proc", "proc/etc", "cwd")
                .forEach(path -> failure(() -> files.list(Target.of(path), 10, FileGuard.OPEN)));
        failure(() -> write("folder/new.txt", "x"));
        failure(() -> write("folder/deeper/new.txt", "x"));
        assertThat(folders.victim()).hasContent(Folders.SECRET);
        assertThat(folders.outside()).isDirectoryContaining(path -> path.endsWith("victim.txt"));
        assertThat(folders.outside().resolve("deeper")).doesNotExist();
        assertThat(folders.outside().resolve("new.txt")).doesNotExist();
    }

    @Test
    void does_not_write_through_a_broken_link() throws Exception {
        Files.createSymbolicLink(
                folders.inside().resolve("link"), folders.outside().resolve("created.txt"));
        failure(() -> write("link", "x"));
        failure(() -> write("link/deeper.txt", "x"));
        assertThat(folders.outside().resolve("created.txt")).doesNotExist();
    }

    @Test
    void refuses_a_hard_link_to_a_file_outside() throws Exception {
        Files.createLink(folders.inside().resolve("hard"), folders.victim());
        assertThat(failure(() -> read("hard"))).hasMessageContaining("hard link");
        assertThat(failure(() -> write("hard", "x"))).hasMessageContaining("hard link");
        assertThat(folders.victim()).hasContent(Folders.SECRET);
    }

    @Test
    void passes_the_real_path_to_the_guard_first() throws Exception {
        Path file = folders.file("a/b.txt", "old");
        FileGuard closed = real -> {
            throw new ToolFailure(ErrorCode.PERMISSION_DENIED, "gate: " + real.get());
        };
        String expected = "gate: " + file.toRealPath();
        assertThat(failure(() -> files.open(Target.of("a/b.txt"), closed))).hasMessage(expected);
        assertThat(failure(() -> files.delete(Target.of("a/b.txt"), closed))).hasMessage(expected);
        assertThat(failure(() -> files.write(Target.of("a/b.txt"), new byte[1], Parents.CREATE, closed)))
                .hasMessage(expected);
        failure(() -> files.write(Target.of("x/y/z.txt"), new byte[1], Parents.CREATE, closed));
        failure(() -> files.list(Target.of("a"), 1, closed));
        assertThat(file).hasContent("old");
        assertThat(folders.inside().resolve("x")).doesNotExist();
    }

    @Test
    void leaks_no_descriptor() throws Exception {
        folders.file("a/b.txt", "x");
        Files.createSymbolicLink(folders.inside().resolve("out"), folders.victim());
        Files.createLink(folders.inside().resolve("hard"), folders.victim());
        everyOperation();
        long before = descriptors();
        for (int round = 0; round < 50; round++) {
            everyOperation();
        }
        assertThat(descriptors()).isLessThanOrEqualTo(before + 5);
    }

    private void everyOperation() throws Exception {
        read("a/b.txt");
        write("a/b.txt", "y");
        write("n/e/w.txt", "y");
        files.delete(Target.of("n/e/w.txt"), FileGuard.OPEN);
        files.list(Target.of("a"), 10, FileGuard.OPEN);
        Stream.of("a", "out", "hard", "none", "none/none", "a/b.txt/c").forEach(path -> {
            failure(() -> read(path));
            failure(() -> files.list(Target.of(path.equals("a") ? "a/b.txt" : path), 1, FileGuard.OPEN));
        });
        Stream.of("a", "out", "hard", "a/b.txt/c").forEach(path -> failure(() -> write(path, "x")));
        Stream.of("a", "none", "a/b.txt/c")
                .forEach(path -> failure(() -> files.delete(Target.of(path), FileGuard.OPEN)));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    String read(String path) throws Exception {
        try (OpenFile file = files.open(Target.of(path), FileGuard.OPEN)) {
            ByteBuffer content = ByteBuffer.allocate(1000);
            file.channel().read(content);
            return new String(content.array(), 0, content.position(), UTF_8);
        }
    }

    void write(String path, String content) throws Exception {
        files.write(Target.of(path), content.getBytes(UTF_8), Parents.CREATE, FileGuard.OPEN);
    }

    static ToolFailure failure(ThrowingCallable action) {
        ToolFailure failure = catchThrowableOfType(ToolFailure.class, action);
        assertThat(failure).isNotNull();
        return failure;
    }

    Stream<Path> leftovers() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all
                    .filter(path ->
                            path.toString().endsWith(".tmp") || path.toString().endsWith(".pending"))
                    .toList()
                    .stream();
        }
    }
}
