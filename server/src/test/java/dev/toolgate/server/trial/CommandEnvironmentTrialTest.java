package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in the server's environment must not reach the commands of tenants. */
@Timeout(180)
class CommandEnvironmentTrialTest {
    private static final Map<String, String> PLANTED = Map.of(
            "ACME_THING", "planted-of-acme",
            "SHOP_PLAIN", "planted-of-the-shop",
            "UNNAMED_VALUE", "planted-and-named-nowhere",
            "GITHUB_TOKEN", "planted-token",
            "VAULT_NAMESPACE", "planted-namespace",
            "OTEL_RESOURCE_ATTRIBUTES", "who=planted");

    private static final Pattern EXPECTED =
            Pattern.compile("PATH|LANG|LC_[A-Z]+|TZ|HOME|TERM|PASSED_ON|PWD|OLDPWD|SHLVL|_"
                    + "|TMPDIR|USER|LOGNAME|SHELL|GIT_CONFIG_(COUNT|KEY_0|VALUE_0)"
                    + "|MPL[A-Z]+|OMP_NUM_THREADS|OPENBLAS_NUM_THREADS|PYTHON[A-Z]+|INPUT_FILE");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"confined", "degraded"})
    void no_tenants_command_sees_a_secret_of_the_servers_environment(String mode) throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.writeString(home.resolve("toolgate.yaml"), """
                sandbox: {mode: %s, environment: [PASSED_ON]}
                secrets: {default: {SHOP: 'env:SHOP_PLAIN'}, acme: {THING: 'env:ACME_THING'}}
                """.formatted(mode));
        DatabaseUrl own = MigratedDatabase.fresh();
        Map<String, String> environment = TrialDatabase.environment(home, own);
        environment.putAll(PLANTED);
        environment.put("PASSED_ON", "a-harmless-value");
        if (mode.equals("degraded")) { // a machine without bubblewrap
            environment.put(
                    ServerProcess.STARTED_BY,
                    "bwrap --die-with-parent --dev-bind / / --dev-bind /dev/null /usr/bin/bwrap --");
        }
        List<ProcessHandle> started = new ArrayList<>();
        try (ServerProcess server =
                ServerProcess.withTrialTools(environment, Files.createFile(folder.resolve("effects")))) {
            started.add(server.handle());
            server.handle().descendants().forEach(started::add);
            Client first = server.client();
            await().until(() -> first.get("/health").text().contains(mode)); // the sandbox is tested in the background
            Client acme = first.with(first.post("/api/v1/tenants", "{\"tenant_id\": \"acme\", \"name\": \"Acme\"}")
                    .json()
                    .path("admin_key")
                    .path("key")
                    .asString());
            for (Client tenant : List.of(first, acme)) {
                tenant.grant("agent", "bash", "file_write", "data_analyze");
                check(stdout(tenant.execute("env", "agent", "bash", "{\"command\": \"env\"}")));
                String everybody = stdout(tenant.execute(
                        "proc",
                        "agent",
                        "bash",
                        "{\"command\": \"cat /proc/*/environ 2>/dev/null | tr '\\\\0' '\\\\n'; true\"}"));
                assertThat(everybody).doesNotContain(PLANTED.keySet()).doesNotContain("DATABASE_URL", "TOOLGATE_");
            }
            if (mode.equals("confined")) {
                Client.expect(
                        200,
                        acme.execute("w", "agent", "file_write", "{\"path\": \"in.csv\", \"content\": \"a\\n1\"}"));
                check(stdout(acme.execute(
                        "script",
                        "agent",
                        "data_analyze",
                        "{\"input_file_path\": \"in.csv\", \"analysis_script\":"
                                + " \"import os\\nfor n, v in os.environ.items(): print(n + '=' + v)\"}")));
            }
        }
        await().until(() -> started.stream().noneMatch(ProcessHandle::isAlive)); // a wrapper leaves no server behind
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ACME_THING",
                "THING",
                "SHOP_PASSWORD_OF_DB",
                "DATABASE_URL",
                "TOOLGATE_HOME",
                "OTEL_SERVICE_NAME"
            })
    void a_setting_that_passes_a_secret_on_stops_the_start(String name) throws Exception {
        Path settings = Files.writeString(folder.resolve("toolgate.yaml"), """
                home: %s
                sandbox: {environment: [PASSED_ON, %s]}
                secrets: {acme: {THING: 'env:ACME_THING'}}
                databases: {default: {shop: {url: 'postgresql://db.example.com/shop', user: u, password: SHOP_PASSWORD_OF_DB}}}
                """.formatted(folder.resolve("home"), name));

        assertThatThrownBy(() -> ToolgateServer.start(ServerSettings.load(settings, Map.of(), Map.of()), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sandbox.environment: '" + name + "'");
        assertThat(folder.resolve("home")).doesNotExist();
    }

    @Test
    void a_list_of_dangerous_paths_that_names_no_file_stops_the_start() throws Exception {
        Path settings = Files.writeString(folder.resolve("toolgate.yaml"), "sandbox: {dangerous_paths: [/etc]}");

        assertThatThrownBy(() -> ServerSettings.load(settings, Map.of(), Map.of()))
                .hasMessageContaining("dangerous_paths: '/etc'");
    }

    private static String stdout(Reply reply) {
        Client.expect(200, reply);
        String text = reply.json().path("result").path("data").asString();
        return text.replaceFirst("(?s)^.*--- stdout ---\n", "").replaceFirst("(?s)\n--- stderr ---.*$", "");
    }

    private static void check(String variables) {
        Set<String> names =
                variables.lines().map(line -> line.replaceFirst("=.*", "")).collect(Collectors.toSet());
        assertThat(names).contains("PATH", "PASSED_ON").allMatch(name -> EXPECTED.matcher(name)
                .matches());
    }
}
