package dev.toolgate.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console's sources pass strict type checks with the types of the API document. */
@Timeout(600)
class ConsoleSourcesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("toolgate.root", "..")).toAbsolutePath().normalize();
    private static final Path CONSOLE = ROOT.resolve("console");

    @TempDir
    private Path folder;

    /** In a copy, since the build's own installation has no development packages. */
    @Test
    void they_compile_against_the_api_document() throws Exception {
        Path copy = Files.createDirectories(folder.resolve("console"));
        copy(CONSOLE.resolve("src"), copy.resolve("src"));
        for (String file : List.of("package.json", "package-lock.json", "tsconfig.json", ".npmrc")) {
            Files.copy(CONSOLE.resolve(file), copy.resolve(file));
        }
        copy(ROOT.resolve("docs/api"), folder.resolve("docs/api"));

        run(copy, "npm", "ci", "--prefer-offline");
        run(copy, "npm", "run", "check");
    }

    @Test
    void packages_are_pinned_and_name_no_registry() throws IOException {
        assertThat(Files.readString(CONSOLE.resolve("package-lock.json"))).doesNotContain("\"resolved\"", "http://");
        assertThat(Files.readString(CONSOLE.resolve("package.json"))).doesNotContain("\"^", "\"~", "\"*\"", "latest");
    }

    @Test
    void nothing_writes_html_or_opens_another_origin() throws IOException {
        try (Stream<Path> files = Files.walk(CONSOLE.resolve("src"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContain("innerHTML", "dangerouslySetInnerHTML", "insertAdjacentHTML", "eval(")
                        .doesNotContainPattern("(src|href)=\"https?:");
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private void run(Path in, String... command) throws Exception {
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.getOutputStream().close();
            assertThat(process.waitFor(8, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
