package dev.toolgate.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.mcpclient.InstalledClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The console in the system's Chromium, driven by the tests in {@code console/e2e} against real servers. Screenshots of
 * every page are left in {@code target/console-pictures}; {@code -Dtoolgate.publish=true} regenerates those of the
 * README.
 */
@Timeout(900)
class ConsoleInBrowserTest {
    private static final Path ROOT =
            Path.of(System.getProperty("toolgate.root", "..")).toAbsolutePath().normalize();
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");

    @TempDir
    private Path folder;

    @TestFactory
    List<DynamicTest> pages() throws Exception {
        Path report = folder.resolve("report.json");
        Path output = folder.resolve("output.txt");
        try (ConsoleGates gates = new ConsoleGates(folder)) {
            run(gates, report, output);
        }
        assertThat(report).as("Playwright: %s", Files.readString(output)).exists();
        List<DynamicTest> results = new ArrayList<>();
        collect(Json.MAPPER.readTree(Files.readString(report)).path("suites"), results);
        assertThat(results).as("Playwright: %s", Files.readString(output)).isNotEmpty();
        return results;
    }

    private void run(ConsoleGates gates, Path report, Path output) throws Exception {
        Path tests = InstalledClients.npm("playwright");
        try (Stream<Path> files = Files.list(ROOT.resolve("console/e2e"))) {
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
        builder.environment().putAll(gates.environment());
        builder.environment().put("CHROMIUM", chromium().toString());
        builder.environment().put("FONTCONFIG_FILE", fonts(tests).toString());
        builder.environment().put("TZ", "UTC");
        builder.environment().put("REPORT", report.toString());
        builder.environment()
                .put("PICTURES", ROOT.resolve("target/console-pictures").toString());
        if (Boolean.getBoolean("toolgate.publish")) {
            builder.environment()
                    .put("PUBLISHED_PICTURES", ROOT.resolve("docs/pictures").toString());
        }
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

    /** The same fonts on every machine, so that the layout is the same. */
    private Path fonts(Path tests) throws IOException {
        Path packages = tests.resolve("node_modules/@expo-google-fonts");
        return Files.writeString(folder.resolve("fonts.conf"), """
                <?xml version="1.0"?>
                <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
                <fontconfig>
                  <dir>%s</dir>
                  <cachedir>%s</cachedir>
                  <match><test name="family"><string>system-ui</string></test>
                    <edit name="family" mode="assign" binding="strong"><string>Inter</string></edit></match>
                  <match><test name="family"><string>sans-serif</string></test>
                    <edit name="family" mode="assign" binding="strong"><string>Inter</string></edit></match>
                  <match><test name="family"><string>ui-monospace</string></test>
                    <edit name="family" mode="assign" binding="strong"><string>JetBrains Mono</string></edit></match>
                  <match><test name="family"><string>monospace</string></test>
                    <edit name="family" mode="assign" binding="strong"><string>JetBrains Mono</string></edit></match>
                </fontconfig>
                """.formatted(packages, folder.resolve("font-cache")));
    }

    /** Every browser test as a JUnit test. */
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
