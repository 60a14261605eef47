package dev.toolgate.cli.hook;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.mcp.ToolgateProcess;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.ClientProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class RunCommandTest {
    @TempDir
    private static Path serverHome;

    @TempDir
    private Path home;

    private static RunningServer server;
    private static String admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(serverHome);
        admin = server.key(FIRST, Role.ADMIN, null);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static List<String> command(String... words) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(words));
        return ToolgateProcess.command(all.toArray(String[]::new));
    }

    private ClientProcess start(String... words) throws IOException {
        Map<String, String> environment = new HashMap<>(ToolgateProcess.environment(server.url(), admin));
        environment.put("TOOLGATE_ADMIN_KEY", admin);
        environment.put("TOOLGATE_HOME", serverHome.toString());
        return ClientProcess.start(home, environment, command(words));
    }

    private static List<String> states(String agent) {
        return server.admin()
                .get("/api/v1/keys?limit=500")
                .json()
                .valueStream()
                .filter(key -> key.path("agent_id").asString("").equals(agent))
                .map(key -> key.path("state").asString())
                .toList();
    }

    @Test
    void a_program_gets_its_own_key_which_is_revoked_at_its_end() throws Exception {
        String script = "env > env.txt; tr '\\0' '\\n' < /proc/self/cmdline > arguments.txt; cat; exit 7";
        try (ClientProcess run = start("--agent", "runner", "--", "sh", "-c", script)) {
            ClientProcess.Ended ended = run.await("typed\n");
            assertThat(ended.code()).as(ended.toString()).isEqualTo(7);
            assertThat(ended.out()).isEqualTo("typed");
        }

        Map<String, String> environment = new HashMap<>();
        Files.readAllLines(home.resolve("env.txt")).stream()
                .map(line -> line.split("=", 2))
                .filter(pair -> pair.length == 2)
                .forEach(pair -> environment.put(pair[0], pair[1]));
        assertThat(environment)
                .containsEntry("TOOLGATE_URL", server.url())
                .containsEntry("TOOLGATE_MCP_URL", server.url() + "/mcp")
                .containsEntry("TOOLGATE_AGENT", "runner")
                .containsEntry("HOME", home.toString())
                .doesNotContainKeys("TOOLGATE_ADMIN_KEY", "TOOLGATE_HOME")
                .doesNotContainValue(admin);
        assertThat(Files.readString(home.resolve("arguments.txt")))
                .doesNotContain(admin)
                .doesNotContain(environment.get("TOOLGATE_KEY"));
        assertThat(server.withKey(environment.get("TOOLGATE_KEY"))
                        .get("/api/v1/whoami")
                        .status())
                .isEqualTo(401);
        assertThat(states("runner")).containsExactly("revoked");
    }

    @Test
    void the_key_works_until_the_program_is_terminated() throws Exception {
        Process run = started(
                "trap 'echo ended > ended; exit 5' TERM; echo $TOOLGATE_KEY > key; while :; do sleep 0.1; done");
        try {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> Files.exists(home.resolve("key"))
                            && !Files.readString(home.resolve("key")).isBlank());
            String key = Files.readString(home.resolve("key")).strip();
            assertThat(server.withKey(key)
                            .get("/api/v1/whoami")
                            .json()
                            .path("agent_id")
                            .asString())
                    .isEqualTo("terminated");

            run.destroy(); // SIGTERM
            assertThat(run.waitFor(1, TimeUnit.MINUTES)).isTrue();

            assertThat(run.exitValue()).isEqualTo(5);
            assertThat(home.resolve("ended")).as("the program ended itself").exists();
            assertThat(server.withKey(key).get("/api/v1/whoami").status()).isEqualTo(401);
        } finally {
            run.descendants().forEach(ProcessHandle::destroyForcibly);
            run.destroyForcibly();
        }
    }

    @Test
    void other_signals_reach_the_program_too() throws Exception {
        Process run =
                started("trap 'exit 6' INT; trap 'echo hup > hup' HUP; echo $$ > key; while :; do sleep 0.1; done");
        try {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> Files.exists(home.resolve("key"))
                            && !Files.readString(home.resolve("key")).isBlank());
            signal("HUP", run);
            await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(home.resolve("hup")));
            signal("INT", run);
            assertThat(run.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(run.exitValue()).isEqualTo(6);
        } finally {
            run.descendants().forEach(ProcessHandle::destroyForcibly);
            run.destroyForcibly();
        }
    }

    private static void signal(String name, Process to) throws Exception {
        assertThat(new ProcessBuilder("sh", "-c", "kill -" + name + " " + to.pid())
                        .start()
                        .waitFor())
                .isZero();
    }

    // Child processes inherit ignored signals, such as SIGHUP if the tests run under nohup.
    private static List<String> withDefaultSignals(List<String> command) {
        List<String> all = new ArrayList<>(
                List.of("perl", "-e", "$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM); exec @ARGV or die", "--"));
        all.addAll(command);
        return all;
    }

    private Process started(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        withDefaultSignals(command("--agent", "terminated", "--", "sh", "-c", script)))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile());
        builder.environment().putAll(ToolgateProcess.environment(server.url(), admin));
        return builder.start();
    }

    @Test
    void a_program_that_is_killed_or_missing_leaves_no_key() throws Exception {
        try (ClientProcess killed = start("--agent", "killed", "--", "sh", "-c", "kill -9 $$")) {
            assertThat(killed.await().code()).isEqualTo(128 + 9);
        }
        try (ClientProcess missing = start("--agent", "missing", "--", "no-such-program")) {
            ClientProcess.Ended ended = missing.await();
            assertThat(ended.code()).as(ended.toString()).isNotZero();
            assertThat(ended.err()).contains("no-such-program");
        }
        assertThat(states("killed")).containsExactly("revoked");
        assertThat(states("missing")).containsExactly("revoked");
    }

    @Test
    void options_that_would_disable_the_hooks_are_refused() throws Exception {
        try (ClientProcess refused = start("--agent", "careless", "--", "claude", "--settings", "{}")) {
            ClientProcess.Ended ended = refused.await();
            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.err()).contains("--no-hooks");
        }
        assertThat(states("careless")).isEmpty();
    }
}
