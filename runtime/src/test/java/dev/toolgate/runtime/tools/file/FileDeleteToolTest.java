package dev.toolgate.runtime.tools.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FileDeleteToolTest extends WithFileTools {

    @Test
    void deletes_a_file() throws Exception {
        Path file = folders.file("a/b.txt", "x");
        Output output = tools.call("file_delete", Map.of("path", "a/b.txt"));
        assertThat(output.text()).isEqualTo("Deleted a/b.txt");
        assertThat(output.structured()).isEqualTo(new FileDeleteTool.Result("Deleted a/b.txt"));
        assertThat(file).doesNotExist();
    }

    @Test
    void a_missing_file_is_not_found() {
        var failure = tools.failure("file_delete", Map.of("path", "none"));
        assertThat(failure.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
        assertThat(failure.message()).isEqualTo("file not found: none");
    }

    @Test
    void folders_and_links_are_refused() throws Exception {
        folders.file("a/b.txt", "x");
        Files.createSymbolicLink(folders.inside().resolve("link"), Path.of("a/b.txt"));
        assertThat(tools.failure("file_delete", Map.of("path", "a")).message()).contains("is a folder");
        assertThat(tools.failure("file_delete", Map.of("path", ".")).message()).contains("is a folder");
        assertThat(tools.failure("file_delete", Map.of("path", "link")).message())
                .contains("is a symbolic link");
        assertThat(folders.inside().resolve("a/b.txt")).exists();
    }

    @Test
    void the_preview_shows_size_and_beginning_and_changes_nothing() throws Exception {
        Path file = folders.file("a.txt", "first line\nsecond line\n");
        assertThat(tools.preview("file_delete", Map.of("path", "a.txt")))
                .isEqualTo("Deletes a.txt, 23 bytes, which begins:\n    first line\n    second line");
        assertThat(file).exists();
    }

    @Test
    void neither_name_nor_content_can_spoof_the_preview() throws Exception {
        folders.file("a\nDeletes b", "\u202Enothing\nDeletes nothing");

        assertThat(tools.preview("file_delete", Map.of("path", "a\nDeletes b")))
                .isEqualTo("Deletes a\\u{a}Deletes b, 26 bytes, which begins:\n"
                        + "    \\u{202e}nothing\n    Deletes nothing");
    }
}
