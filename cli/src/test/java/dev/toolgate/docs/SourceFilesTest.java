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

/** Checks on all source files of the product. */
class SourceFilesTest {
    private static final int MAX_FILES_PER_PACKAGE = 35;

    @Test
    void no_package_has_too_many_files() {
        Function<Path, String> folder = file -> file.getParent().toString();
        assertThat(grouped(product(), folder))
                .allSatisfy(
                        (name, files) -> assertThat(files).as(name).hasSizeLessThanOrEqualTo(MAX_FILES_PER_PACKAGE));
        assertThat(grouped(javaClient(), folder))
                .allSatisfy(
                        (name, files) -> assertThat(files).as(name).hasSizeLessThanOrEqualTo(MAX_FILES_PER_PACKAGE));
    }

    /** The Java client is independent of the server, so the two are checked separately. */
    @Test
    void no_simple_class_name_occurs_twice() {
        assertThat(ambiguous(product())).isEmpty();
        assertThat(ambiguous(javaClient())).isEmpty();
    }

    private static Map<String, List<Path>> ambiguous(List<Path> sources) {
        Map<String, List<Path>> byName =
                grouped(sources, file -> file.getFileName().toString());
        byName.remove("package-info.java");
        byName.values().removeIf(files -> files.size() == 1);
        return byName;
    }

    private static Map<String, List<Path>> grouped(List<Path> files, Function<Path, String> key) {
        return files.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    /** The Java client and the adapters that are built on it. */
    private static List<Path> javaClient() {
        List<Path> files = Stream.of("clients/java", "integrations/java/langchain4j", "integrations/java/spring-ai")
                .flatMap(module -> sources(Documents.ROOT.resolve(module).resolve("src/main/java")))
                .toList();
        assertThat(files).hasSizeGreaterThan(60);
        return files;
    }

    private static List<Path> product() {
        try (Stream<Path> modules = Files.list(Documents.ROOT)) {
            List<Path> files = modules.filter(module -> !module.endsWith("bench"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(SourceFilesTest::sources)
                    .toList();
            assertThat(files).hasSizeGreaterThan(1000); // guards against scanning nothing
            return files;
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
