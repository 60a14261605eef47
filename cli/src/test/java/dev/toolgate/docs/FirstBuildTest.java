package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Maven arguments of the two commands of the README, recorded by a fake Maven. */
class FirstBuildTest {
    @TempDir
    private Path folder;

    private List<String> argumentsOfMaven(String command) throws Exception {
        for (String file :
                List.of(command, "pom.xml", "scripts/machine.sh", "scripts/launch.sh", "scripts/rehearse.sh")) {
            Path copy = folder.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(Documents.ROOT.resolve(file), copy);
        }
        Path noted = folder.resolve("arguments");
        program("bin/mvn", "printf '%s\\n' \"$@\" > '" + noted + "'; exit 1");
        ProcessBuilder script = new ProcessBuilder(folder.resolve(command).toString()).redirectErrorStream(true);
        script.environment()
                .putAll(Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"), "TOOLGATE_SETUP", "off"));
        Process run = script.start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(run.exitValue()).as(said).isNotZero(); // the fake Maven builds nothing
        return Files.readAllLines(noted);
    }

    private void program(String name, String body) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void the_first_start_builds_without_checks_on_two_threads() throws Exception {
        assertThat(argumentsOfMaven("toolgate"))
                .contains("-Dquick", "-Dmaven.test.skip=true", "package")
                .containsSequence("-T", "2");
    }

    @Test
    void verify_skips_no_check() throws Exception {
        assertThat(argumentsOfMaven("verify"))
                .contains("verify")
                .noneMatch(argument -> argument.startsWith("-Dquick") || argument.contains("skip"));
    }
}
