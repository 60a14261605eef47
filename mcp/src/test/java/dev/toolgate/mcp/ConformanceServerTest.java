package dev.toolgate.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.fixture.ConformanceSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The official conformance suite against the MCP server. */
class ConformanceServerTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Pattern SCENARIO = Pattern.compile("(?m)^([✓✗~]) ([a-z0-9-]+): \\d+ passed, (\\d+) failed");

    @TempDir
    private Path folder;

    private ConformanceServer server;

    @BeforeEach
    void start() throws IOException {
        server = ConformanceServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Runs the required scenarios and the unscored ones. */
    @ParameterizedTest
    @CsvSource({"2025-11-25, 30, 3", "2026-07-28, 37, 13"})
    void passes_all_required_scenarios_of_a_revision(String revision, int required, int unscored) throws IOException {
        ConformanceSuite.Run run = suite("--requirements", revision);

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(SCENARIO.matcher(run.output()).results())
                .as(run.output())
                .hasSize(required + unscored)
                .extracting(MatchResult::group)
                .allMatch(line -> line.endsWith(" 0 failed"));
    }

    /** In a full run, unscored scenarios do not affect the exit code, so each is also run alone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tasks-lifecycle",
                "tasks-capability-negotiation",
                "tasks-wire-fields",
                "tasks-request-state-removal",
                "tasks-mrtr-input",
                "tasks-request-headers",
                "tasks-dispatch-and-envelope",
                "tasks-status-notifications",
                "tasks-required-task-error",
                "tasks-mrtr-composition",
                "http-header-validation",
                "http-custom-header-server-validation",
                "json-schema-2020-12"
            })
    void passes_unscored_scenarios_of_2026_07_28(String scenario) throws IOException {
        ConformanceSuite.Run run = suite("--spec-version", "2026-07-28", "--scenario", scenario);

        assertThat(run.exitCode()).as(run.output()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"server-session-lifecycle", "json-schema-2020-12"})
    void passes_unscored_scenarios_of_2025_11_25(String scenario) throws IOException {
        ConformanceSuite.Run run = suite("--spec-version", "2025-11-25", "--scenario", scenario);

        assertThat(run.exitCode()).as(run.output()).isZero();
    }

    @Test
    void the_suite_fails_without_a_server() throws IOException {
        ConformanceSuite.Run run = ConformanceSuite.run(
                folder.resolve("output.txt"),
                LIMIT,
                "server",
                "--url",
                "http://127.0.0.1:9/mcp",
                "--requirements",
                "2026-07-28");

        assertThat(run.exitCode()).as(run.output()).isNotZero();
    }

    private ConformanceSuite.Run suite(String... arguments) throws IOException {
        String[] all = new String[arguments.length + 3];
        all[0] = "server";
        all[1] = "--url";
        all[2] = server.url();
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return ConformanceSuite.run(folder.resolve("output.txt"), LIMIT, all);
    }
}
