package dev.toolgate.server.console;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.AGENT;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.InstalledClients;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The console in the system's Chromium, driven by the tests in {@code console/e2e} against a real server. */
@Timeout(900)
class ConsoleInBrowserTest {
    private static final Path SOURCES = Path.of(System.getProperty("toolgate.root", ".."), "console", "e2e");
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");

    @TempDir
    private Path folder;

    @TestFactory
    List<DynamicTest> pages() throws Exception {
        Path report = folder.resolve("report.json");
        Path output = folder.resolve("output.txt");
        int model = freePort(); // the tests of the browser run a scripted model there
        try (RunningServer server = RunningServer.start(
                folder.resolve("home"), Map.of("models.ollama.host", "http://127.0.0.1:" + model))) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + AGENT + "\"}");
            run(server, model, report, output);
        }
        assertThat(report).as("Playwright: %s", Files.readString(output)).exists();
        List<DynamicTest> results = new ArrayList<>();
        collect(Json.MAPPER.readTree(Files.readString(report)).path("suites"), results);
        assertThat(results).as("Playwright: %s", Files.readString(output)).isNotEmpty();
        return results;
    }

    private void run(RunningServer server, int model, Path report, Path output) throws Exception {
        Path tests = InstalledClients.npm("playwright");
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                Files.copy(file, tests.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        ProcessBuilder builder = new ProcessBuilder(
                        InstalledClients.node(),
                        "node_modules/@playwright/test/cli.js",
                        "test",
                        "--output",
                        folder.resolve("results").toString())
                .directory(tests.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("TOOLGATE_URL", server.url());
        builder.environment().put("KEYS", keys(server).toString());
        builder.environment().put("MODEL_PORT", String.valueOf(model));
        builder.environment().put("CHROMIUM", chromium().toString());
        builder.environment().put("REPORT", report.toString());
        Process playwright = builder.start();
        try {
            assertThat(playwright.waitFor(12, TimeUnit.MINUTES))
                    .as("Playwright ended")
                    .isTrue();
        } finally {
            playwright.descendants().forEach(ProcessHandle::destroyForcibly);
            playwright.destroyForcibly();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static ObjectNode keys(RunningServer server) {
        ObjectNode keys = Json.MAPPER.createObjectNode();
        for (Role role : Role.values()) {
            keys.put(role.wireName(), server.key(FIRST, role, role == Role.AGENT ? AGENT : null));
        }
        return keys.put("acme", server.key(ACME, Role.ADMIN, null));
    }

    /** Every test of the browser as a test of the build. */
    private static void collect(JsonNode suites, List<DynamicTest> into) {
        for (JsonNode suite : suites) {
            collect(suite.path("suites"), into);
            for (JsonNode spec : suite.path("specs")) {
                into.add(DynamicTest.dynamicTest(spec.path("title").asString(), () -> assertThat(
                                spec.path("ok").asBoolean())
                        .as(problems(spec))
                        .isTrue()));
            }
        }
    }

    private static String problems(JsonNode spec) {
        StringBuilder problems = new StringBuilder(spec.path("title").asString());
        for (JsonNode error : spec.at("/tests/0/results").findValues("message")) {
            problems.append('\n').append(error.asString());
        }
        return problems.toString();
    }

    private static Path chromium() throws IOException {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
                .flatMap(place -> BROWSERS.stream().map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("Chromium is not installed; ./verify installs it."));
    }
}
