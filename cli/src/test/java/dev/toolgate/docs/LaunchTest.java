package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchTest {
    private static final Pattern READY = Pattern.compile("(?m)^Toolgate ready at (http://\\S+)");

    @TempDir
    private Path folder;

    @TempDir
    private Path home;

    private Path log;
    private String database = "";

    @BeforeEach
    void build() throws Exception {
        BuiltToolgate.in(folder);
        database = FreshDatabase.url();
        log = folder.resolve("log");
    }

    private Process start(Map<String, String> environment, String... words) throws IOException {
        String[] command = new String[words.length + 1];
        command[0] = folder.resolve("toolgate").toString();
        System.arraycopy(words, 0, command, 1, words.length);
        ProcessBuilder program =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        program.environment().keySet().removeIf(name -> name.startsWith("TOOLGATE") || name.equals("DATABASE_URL"));
        program.environment().put("TOOLGATE_HOME", home.toString());
        program.environment().put("DATABASE_URL", database);
        program.environment().putAll(environment);
        return program.start();
    }

    private int run(Map<String, String> environment, String... words) throws Exception {
        Process program = start(environment, words);
        assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return program.exitValue();
    }

    @Test
    void without_arguments_it_runs_a_server_until_terminated() throws Exception {
        Process server = start(Map.of("TOOLGATE_PORTS", "0,0"));
        try {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> READY.matcher(Files.readString(log)).find());
            Matcher ready = READY.matcher(Files.readString(log));
            assertThat(ready.find()).isTrue();
            Map<String, String> here = Map.of("TOOLGATE_URL", ready.group(1));
            log = folder.resolve("log of commands");

            assertThat(run(here, "health")).isZero();
            assertThat(run(here, "agents", "add", "writer")).isZero();
            assertThat(Files.readString(log)).isEqualTo("Agent writer added.\n");

            server.destroy(); // SIGTERM to the started process, which must be the server itself
            assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();

            assertThat(run(here, "health")).isEqualTo(1);
            assertThat(Files.readString(log)).contains("no server answers at " + ready.group(1));
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void options_for_java_can_be_given() throws Exception {
        assertThat(run(Map.of("TOOLGATE_JAVA_OPTIONS", "-Xmx64m -XX:+PrintFlagsFinal"), "--version"))
                .isZero();
        assertThat(Files.readString(log)).containsPattern("MaxHeapSize\\s+= 67108864 ");
    }

    @Test
    void the_home_folder_comes_from_the_environment() throws Exception {
        Path elsewhere = folder.resolve("elsewhere");
        assertThat(run(
                        Map.of("HOME", elsewhere.toString(), "TOOLGATE_JAVA_OPTIONS", "-XshowSettings:properties"),
                        "--version"))
                .isZero();
        assertThat(Files.readString(log)).contains("user.home = " + elsewhere + "\n");
    }
}
