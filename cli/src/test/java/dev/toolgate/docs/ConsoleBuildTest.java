package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build script of the console, with fake npm and Node programs that record their calls. */
class ConsoleBuildTest {
    private static final List<String> SYSTEM_PROGRAMS =
            List.of("sh", "find", "sort", "sha256sum", "cut", "cat", "mkdir", "rm", "dirname", "uname");

    @TempDir
    private Path folder;

    private Path console;
    private Path programs;

    @BeforeEach
    void copySources() throws IOException {
        console = Files.createDirectories(folder.resolve("console"));
        programs = Files.createDirectories(folder.resolve("bin"));
        for (String file : List.of("build.sh", "package.json", "package-lock.json", "vite.config.ts", "index.html")) {
            Files.copy(Documents.ROOT.resolve("console").resolve(file), console.resolve(file));
        }
        Files.createDirectories(console.resolve("src"));
        Files.writeString(console.resolve("src/main.tsx"), "export {};");
        for (String name : SYSTEM_PROGRAMS) {
            Path program = Files.exists(Path.of("/usr/bin", name)) ? Path.of("/usr/bin", name) : Path.of("/bin", name);
            Files.createSymbolicLink(programs.resolve(name), program);
        }
    }

    private void program(String name, String body) throws IOException {
        Path file = programs.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void npmAndNode() throws IOException {
        program("npm", "mkdir -p node_modules; echo \"npm $*\" >> '" + folder.resolve("calls") + "'");
        program(
                "node",
                "[ \"$1\" = -e ] || { mkdir -p target/classes/console; echo built > target/classes/console/index.html;"
                        + " echo \"node $*\" >> '" + folder.resolve("calls") + "'; }");
    }

    private String build() throws Exception {
        ProcessBuilder script =
                new ProcessBuilder("/bin/sh", console.resolve("build.sh").toString()).redirectErrorStream(true);
        script.environment().put("PATH", programs.toString());
        Process run = script.start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(run.exitValue()).as(said).isZero();
        return said;
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    @Test
    void without_npm_a_notice_is_printed_and_no_console_is_built() throws Exception {
        assertThat(build()).contains("npm was not found, so this gate has no console; install Node");
        assertThat(console.resolve("target/classes/console")).doesNotExist();
    }

    @Test
    void without_the_registry_a_notice_is_printed_and_nothing_is_built() throws Exception {
        npmAndNode();
        program("npm", "exit 1");

        assertThat(build()).contains("could not be installed, so this gate has no console");
        assertThat(console.resolve("target/classes/console")).doesNotExist();
    }

    @Test
    void it_builds_again_only_after_a_change() throws Exception {
        npmAndNode();

        build();
        build();
        assertThat(calls()).hasSize(2);
        assertThat(calls().getFirst()).contains("npm ci", "--omit=dev");

        Files.writeString(console.resolve("src/main.tsx"), "export const changed = true;");
        build();
        assertThat(calls()).as("builds again, and installs nothing").hasSize(3);
    }

    @Test
    void it_builds_again_after_a_build_that_failed() throws Exception {
        npmAndNode();
        build();
        String source = Files.readString(console.resolve("src/main.tsx"));
        Files.writeString(console.resolve("src/main.tsx"), "mistake");
        program("node", "[ \"$1\" = -e ] || exit 1");
        assertThatThrownBy(this::build).isInstanceOf(AssertionError.class);

        Files.writeString(console.resolve("src/main.tsx"), source);
        npmAndNode();
        build();
        assertThat(calls()).as("its files may be those of the failed build").hasSize(3);
    }
}
