package dev.toolgate.runtime.tools.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FileListToolTest extends WithFileTools {

    @Test
    void lists_files_and_folders_by_name() throws Exception {
        folders.file("src/utils.ts", "12");
        folders.file("src/index.ts", "1");
        folders.folder("src/lib");
        Output output = tools.call("listFiles", Map.of("path", "./src"));
        assertThat(output.structured()).isEqualTo(new FileListTool.Result(List.of("index.ts", "lib/", "utils.ts")));
        assertThat(output.text()).isEqualTo("file    index.ts  (1 bytes)\nfolder  lib/\nfile    utils.ts  (2 bytes)");
    }

    @Test
    void lists_the_project_root_when_no_path_is_given() throws Exception {
        folders.file("a.txt", "");
        assertThat(tools.call("file_list", Map.of()).structured()).isEqualTo(new FileListTool.Result(List.of("a.txt")));
    }

    @Test
    void reports_truncation_and_an_empty_folder() throws Exception {
        for (int number = 0; number < 1005; number++) {
            folders.file("many/" + number, "");
        }
        folders.folder("none");
        Output output = tools.call("file_list", Map.of("path", "many"));
        assertThat(files(output)).hasSize(1000).isSorted();
        assertThat(output.text()).contains("Showing 1000 of 1005 entries");
        assertThat(output.metadata()).containsEntry("total", 1005L).containsEntry("truncated", true);
        assertThat(tools.call("file_list", Map.of("path", "none")).text()).isEqualTo("The folder is empty.");
    }

    @Test
    void a_file_cannot_be_listed() throws Exception {
        folders.file("a.txt", "");
        assertThat(tools.failure("file_list", Map.of("path", "a.txt")).message())
                .contains("only a folder");
    }

    @Test
    void names_that_are_not_valid_text_do_not_break_the_list() throws Exception {
        Process made = new ProcessBuilder("sh", "-c", "touch \"$(printf 'bad\\377name')\" good")
                .directory(folders.inside().toFile())
                .start();
        assertThat(made.waitFor()).isZero();
        Output output = tools.call("file_list", Map.of());
        assertThat(files(output)).hasSize(2).contains("good");
    }

    private static List<String> files(Output output) {
        return output.structured() instanceof FileListTool.Result result ? result.files() : List.of();
    }
}
