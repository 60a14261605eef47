package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.toolgate.core.json.Json;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every command in the guides and the README is run, in order, by a shell, against a real server. */
class GuidesTest {
    /** The guides share a server, and some of them add tools of these categories to it. */
    private static final Set<String> ADDED_BY_GUIDES = Set.of("external", "mcp");

    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static ToolgateServer server;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(home.resolve("toolgate.yaml"), "costs: {file_list: 0.001}\n");
        ServerSettings settings = ServerSettings.load(
                null, Map.of("DATABASE_URL", FreshDatabase.url()), Map.of("home", home.toString(), "ports", "0"));
        server = ToolgateServer.start(settings, List.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The README and every guide with commands. */
    static Stream<Path> guides() {
        return Documents.all().stream()
                .filter(document -> document.equals(Documents.ROOT.resolve("README.md"))
                        || document.startsWith(Documents.ROOT.resolve("docs").resolve("guides")))
                .filter(document -> Documents.text(document).contains("```sh"))
                .map(Documents.ROOT::relativize);
    }

    @ParameterizedTest
    @MethodSource("guides")
    void the_commands_succeed_with_the_documented_output(Path document) throws Exception {
        List<Block> blocks = Block.of(Documents.text(Documents.ROOT.resolve(document)));
        assertThat(blocks).isNotEmpty();

        int code = run(blocks);

        String all = outputs(blocks.size());
        assertThat(code).as("output of the shell:\n" + all).isZero();
        for (int i = 0; i < blocks.size(); i++) {
            String printed = withoutLayout(Files.readString(output(i)));
            for (String expected : blocks.get(i).expected()) {
                assertThat(printed).as("output of\n" + blocks.get(i).commands()).contains(withoutLayout(expected));
            }
        }
    }

    @Test
    void the_tools_guide_lists_every_tool_with_all_its_arguments() throws Exception {
        List<String> rows = Documents.text(Documents.ROOT.resolve("docs/guides/tools.md"))
                .lines()
                .toList();
        for (JsonNode tool : tools()) {
            if (ADDED_BY_GUIDES.contains(tool.path("category").asString())) {
                continue;
            }
            String start = "| `" + tool.path("name").asString() + "` | `"
                    + tool.path("capability").asString() + "` | "
                    + tool.path("danger").asString() + " |";
            JsonNode arguments = tool.path("input_schema").path("properties");
            assertThat(arguments.isObject()).isTrue();
            assertThat(rows)
                    .filteredOn(row -> row.startsWith(start))
                    .singleElement(STRING)
                    .satisfies(row -> {
                        for (String argument : arguments.propertyNames()) {
                            assertThat(row).contains("`" + argument + "`");
                        }
                    });
        }
    }

    private static JsonNode tools() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/tools"))
                .header(
                        "Authorization",
                        "Bearer " + Files.readString(home.resolve("admin.key")).strip())
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return Json.MAPPER.readTree(
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }
    }

    private int run(List<Block> blocks) throws IOException, InterruptedException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorkspaceAccount.changeOwner(folder, WorkspaceAccount.of(folder));
        BuiltToolgate.in(folder);
        Files.copy(Documents.ROOT.resolve("README.md"), folder.resolve("README.md"));
        StringBuilder script = new StringBuilder("set -eu -o pipefail\n");
        for (int i = 0; i < blocks.size(); i++) {
            script.append("exec >'")
                    .append(output(i))
                    .append("' 2>&1\n")
                    .append(blocks.get(i).commands());
        }
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", script.toString()).directory(folder.toFile());
        shell.environment().keySet().removeIf(name -> name.startsWith("TOOLGATE") || name.equals("DATABASE_URL"));
        shell.environment().put("TOOLGATE_URL", server.url());
        shell.environment().put("TOOLGATE_HOME", home.toString());
        // Commands write settings of other programs into the home folder.
        shell.environment().put("HOME", folder.toString());
        shell.environment().remove("XDG_CONFIG_HOME");
        shell.environment().remove("CODEX_HOME");
        shell.environment().remove("CLAUDE_CONFIG_DIR");
        shell.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        Process running = shell.start();
        try {
            assertThat(running.waitFor(4, TimeUnit.MINUTES)).as("ends").isTrue();
            return running.exitValue();
        } finally {
            running.destroyForcibly();
        }
    }

    // The width of a column depends on the other rows of the table.
    private static String withoutLayout(String text) {
        return text.replaceAll(" +", " ");
    }

    private Path output(int block) {
        return folder.resolve("output-" + block);
    }

    private String outputs(int blocks) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path file : Stream.iterate(0, i -> i + 1)
                .limit(blocks)
                .map(this::output)
                .filter(Files::exists)
                .toList()) {
            all.append(Files.readString(file)).append('\n');
        }
        return all.toString();
    }
}
