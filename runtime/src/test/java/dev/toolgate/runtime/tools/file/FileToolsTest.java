package dev.toolgate.runtime.tools.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.sandbox.files.Folders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileToolsTest {
    @TempDir
    Path temporary;

    Map<String, ToolSpec<?>> specs = Map.of();

    @BeforeEach
    void open() {
        List<Tool<?>> tools = FileTools.all(Folders.in(temporary).workspace(), new WriteTracker());
        specs = tools.stream()
                .<ToolSpec<?>>map(Tool::spec)
                .collect(Collectors.toMap(ToolSpec::name, Function.identity()));
    }

    @ParameterizedTest
    @CsvSource({
        "file_read, 'file_read,ReadFile,readFile', File.Read, SAFE, Read the contents of a file at the given path",
        "file_write, 'file_write,WriteFile,writeFile', File.Write, DANGEROUS, "
                + "Create or overwrite a file with the given content",
        "file_delete, 'file_delete,DeleteFile', File.Delete, DANGEROUS, Delete a file at the given path",
        "file_list, 'file_list,listFiles', File.Read, SAFE, "
                + "List the files and folders in a folder; folders end with a slash"
    })
    void have_aliases_for_every_dialect(
            String name, String names, String capability, Danger danger, String description) {
        ToolSpec<?> spec = Objects.requireNonNull(specs.get(name));
        assertThat(spec.names().collect(Collectors.joining(","))).isEqualTo(names);
        assertThat(spec.capability()).isEqualTo(capability);
        assertThat(spec.category()).isEqualTo(Category.FILE);
        assertThat(spec.danger()).isEqualTo(danger);
        assertThat(spec.description()).isEqualTo(description);
    }

    @Test
    void only_runtime_names_require_absolute_paths() {
        List<Alias> aliases =
                specs.values().stream().flatMap(spec -> spec.aliases().stream()).toList();
        assertThat(aliases).allSatisfy(alias -> assertThat(alias.absolutePaths())
                .isEqualTo(alias.naming() == Alias.Naming.RUNTIME ? List.of("path") : List.of()));
    }

    @Test
    void a_missing_path_is_named() {
        ToolSpec<?> spec = Objects.requireNonNull(specs.get("file_read"));
        assertThat(spec.arguments().validate(Json.MAPPER.createObjectNode())).contains("Missing required field: path.");
    }
}
