package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources of the product must look like as a whole. */
class SourceFilesTest {
    private static final int MAX_FILES_PER_PACKAGE = 35;

    @Test
    void no_package_has_more_files_than_fit_on_a_screen() {
        assertThat(grouped(file -> file.getParent().toString()))
                .allSatisfy((folder, files) ->
                        assertThat(files).as(folder).hasSizeLessThanOrEqualTo(MAX_FILES_PER_PACKAGE));
    }

    @Test
    void no_simple_class_name_stands_for_two_things() {
        Map<String, List<Path>> byName = grouped(file -> file.getFileName().toString());
        byName.remove("package-info.java");
        byName.values().removeIf(files -> files.size() == 1);
        assertThat(byName).isEmpty();
    }

    private static Map<String, List<Path>> grouped(Function<Path, String> key) {
        try (Stream<Path> modules = Files.list(Documents.ROOT)) {
            List<Path> files = modules.filter(module -> !module.endsWith("bench"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(SourceFilesTest::sources)
                    .toList();
            assertThat(files).hasSizeGreaterThan(1000); // of what was not looked at nothing is known
            return files.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
