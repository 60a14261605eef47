package dev.toolgate.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileTest {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    @Test
    void a_file_is_created_once_and_never_replaced() throws Exception {
        Path file = folder.resolve("key");

        assertThat(NewFile.create(file, bytes("first"), OWNER_ONLY)).isTrue();
        assertThat(NewFile.create(file, bytes("second"), OWNER_ONLY)).isFalse();

        assertThat(file).hasContent("first");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(OWNER_ONLY);
        assertThat(names(folder)).containsExactly("key");
    }

    @Test
    void a_file_is_created_where_there_are_no_hard_links() throws Exception {
        try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("files.zip"), Map.of("create", "true"))) {
            Path root = Files.createDirectory(zip.getPath("/data"));
            Path file = root.resolve("key");
            assertThatThrownBy(() -> Files.createLink(root.resolve("link"), root))
                    .isInstanceOf(UnsupportedOperationException.class);

            assertThat(NewFile.create(file, bytes("first"), OWNER_ONLY)).isTrue();
            assertThat(NewFile.create(file, bytes("second"), OWNER_ONLY)).isFalse();

            assertThat(Files.readString(file)).isEqualTo("first");
            assertThat(names(root)).containsExactly("key");
        }
    }

    @Test
    void without_hard_links_one_of_many_creates_the_file() throws Exception {
        for (int round = 0; round < 50; round++) {
            Path file = folder.resolve("key" + round);
            List<Callable<String>> creators = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String content = "content of creator " + i;
                creators.add(() -> {
                    boolean created = NewFile.createByRename(file, bytes(content), OWNER_ONLY, TIMEOUT);
                    String read = Files.readString(file);
                    assertThat(created).isEqualTo(read.equals(content));
                    return read;
                });
            }
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<String> read = new ArrayList<>();
                for (Future<String> each : threads.invokeAll(creators)) {
                    read.add(each.get());
                }
                assertThat(read).containsOnly(Files.readString(file));
            }
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(OWNER_ONLY);
        }
        assertThat(names(folder)).hasSize(50);
    }

    @Test
    void a_draft_left_by_a_killed_process_is_named() throws Exception {
        Path file = folder.resolve("key");
        Path draft = Files.writeString(folder.resolve("key.new"), "incompl");

        assertThatThrownBy(() -> NewFile.createByRename(file, bytes("mine"), OWNER_ONLY, Duration.ZERO))
                .isInstanceOf(IOException.class)
                .hasMessage(draft + " is left from an interrupted start; delete it and restart.");
        assertThat(file).doesNotExist();
        assertThat(draft).hasContent("incompl");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
