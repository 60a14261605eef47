package dev.toolgate.runtime.tools.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FileWriteToolTest extends WithFileTools {

    @Test
    void ac14_writes_a_file_and_creates_its_folders() throws Exception {
        Output output = tools.call("file_write", Map.of("path", "new/dir/file.txt", "content", "data"));
        assertThat(folders.inside().resolve("new/dir/file.txt")).hasContent("data");
        assertThat(output.text()).isEqualTo("Wrote 4 bytes to new/dir/file.txt");
        assertThat(output.structured()).isEqualTo(new FileWriteTool.Result("File written successfully"));
    }

    @Test
    void creates_no_folders_if_disabled() {
        var failure = tools.failure(
                "file_write", Map.of("path", "new/file.txt", "content", "data", "createDirectories", false));
        assertThat(failure.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
        assertThat(failure.message()).contains("createDirectories");
    }

    @Test
    void counts_bytes_and_not_characters() throws Exception {
        assertThat(tools.call("file_write", Map.of("path", "a.txt", "content", "grün 😀"))
                        .text())
                .isEqualTo("Wrote 10 bytes to a.txt");
        assertThat(folders.inside().resolve("a.txt")).hasContent("grün 😀");
    }

    @Test
    void writes_an_empty_file() throws Exception {
        tools.call("file_write", Map.of("path", "a.txt", "content", ""));
        assertThat(folders.inside().resolve("a.txt")).isEmptyFile();
    }

    @Test
    void attaches_a_diff_that_the_patch_program_can_apply() throws Exception {
        Path file = folders.file("src/a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight");
        Path copy = Files.copy(file, temporary.resolve("copy.txt"));
        String now = "one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
        Output output = tools.call("file_write", Map.of("path", "src/a.txt", "content", now));
        String diff = diff(output);
        assertThat(diff).startsWith("--- a/src/a.txt\n+++ b/src/a.txt\n").contains("-two\n+2\n");
        assertThat(patch(copy, diff)).isZero();
        assertThat(copy).hasContent(now);
    }

    @Test
    void the_diff_of_a_new_file_can_be_applied_too() throws Exception {
        Output output = tools.call("file_write", Map.of("path", "a.txt", "content", "one\ntwo\n"));
        String diff = diff(output);
        assertThat(diff).isEqualTo("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    }

    @Test
    void a_diff_of_huge_or_binary_content_is_a_description() throws Exception {
        Files.write(folders.file("a.bin", ""), new byte[] {0, 1});
        assertThat(diff(tools.call("file_write", Map.of("path", "a.bin", "content", "text"))))
                .isEqualTo("Binary file a.bin changed: 2 bytes before, 4 bytes after\n");
        folders.file("big.txt", "x\n".repeat(1_000_000));
        assertThat(diff(tools.call("file_write", Map.of("path", "big.txt", "content", "small"))))
                .contains("2000000 bytes before, 5 bytes after");
    }

    @Test
    void a_diff_of_many_different_lines_is_correct() throws Exception {
        Path file = folders.file("a.txt", "same\n" + "old\n".repeat(20_000) + "end\n");
        Path copy = Files.copy(file, temporary.resolve("copy.txt"));
        String now = "same\n" + "new\n".repeat(20_000) + "end\n";
        String diff = diff(tools.call("file_write", Map.of("path", "a.txt", "content", now)));
        assertThat(patch(copy, diff)).isZero();
        assertThat(copy).hasContent(now);
    }

    @Test
    void writing_the_same_again_attaches_nothing() throws Exception {
        folders.file("a.txt", "same");
        assertThat(tools.call("file_write", Map.of("path", "a.txt", "content", "same"))
                        .artifacts())
                .isEmpty();
    }

    @Test
    void the_preview_is_the_diff_and_changes_nothing() throws Exception {
        Path file = folders.file("a.txt", "old\n");
        assertThat(tools.preview("file_write", Map.of("path", "a.txt", "content", "new\n")))
                .isEqualTo("--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n");
        assertThat(tools.preview("file_write", Map.of("path", "a.txt", "content", "old\n")))
                .contains("already");
        assertThat(file).hasContent("old\n");
    }

    @Test
    void a_name_with_line_breaks_cannot_spoof_the_diff() throws Exception {
        assertThat(tools.preview("file_write", Map.of("path", "a\n+++ b/harmless", "content", "new\n")))
                .isEqualTo("--- /dev/null\n+++ b/a\\u{a}+++ b/harmless\n@@ -0,0 +1,1 @@\n+new\n");
    }

    @Test
    void content_above_the_policy_limit_is_too_large() {
        tools.bounds = Bounds.sizes(3L, null);
        assertThat(tools.failure("file_write", Map.of("path", "a.txt", "content", "data"))
                        .code())
                .isEqualTo(ErrorCode.FILE_TOO_LARGE);
        assertThat(folders.inside().resolve("a.txt")).doesNotExist();
    }

    @Test
    void an_unpaired_surrogate_is_refused() {
        var failure = tools.failure("file_write", Map.of("path", "a.txt", "content", "x\ud83d"));
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure.message()).contains("'content'");
    }

    private static String diff(Output output) throws Exception {
        Artifact artifact = output.artifacts().getFirst();
        assertThat(artifact.kind()).isEqualTo("file_diff");
        return new String(artifact.content().open().readAllBytes(), UTF_8);
    }

    private int patch(Path file, String diff) throws Exception {
        Path input = Files.writeString(temporary.resolve("input.diff"), diff);
        return new ProcessBuilder(List.of("patch", "--silent", file.toString(), input.toString()))
                .start()
                .waitFor();
    }
}
