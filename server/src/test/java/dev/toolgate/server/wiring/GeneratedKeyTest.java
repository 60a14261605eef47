package dev.toolgate.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedKeyTest {
    @TempDir
    private Path folder;

    @Test
    void a_key_is_generated_once_where_there_are_no_hard_links() throws Exception {
        try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("files.zip"), Map.of("create", "true"))) {
            Path file = Files.createDirectory(zip.getPath("/data")).resolve("digest.key");

            String key = GeneratedKey.of(null, file, "which loses nothing");

            assertThat(key).hasSize(43);
            assertThat(GeneratedKey.of(null, file, "which loses nothing")).isEqualTo(key);
            assertThat(Files.readString(file)).isEqualTo(key + "\n");
        }
    }
}
