package dev.toolgate.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.fixture.ConformanceSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The official conformance suite against the MCP client. */
class ConformanceClientTest {
    private static final Duration LIMIT = Duration.ofMinutes(9);
    private static final Pattern SCENARIO =
            Pattern.compile("(?m)^([✓✗~]) ([A-Za-z0-9_/-]+): \\d+ passed, (\\d+) failed");

    @TempDir
    private Path folder;

    /** All required scenarios, and all unscored ones except those for proof of possession (DPoP). */
    @ParameterizedTest
    @CsvSource({"2025-11-25, 18, 7", "2026-07-28, 32, 7"})
    void passes_all_required_scenarios_of_a_revision(String revision, int required, int unscored) throws IOException {
        ConformanceSuite.Run run = suite(command(ConformanceClient.class), "--requirements", revision);

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(SCENARIO.matcher(run.output()).results())
                .as(run.output())
                .hasSize(required + unscored)
                .extracting(MatchResult::group)
                .filteredOn(line -> !line.contains("auth/dpop"))
                .allMatch(line -> line.startsWith("✓") && line.endsWith(" 0 failed"));
    }

    @Test
    void the_suite_fails_a_client_that_does_nothing() throws IOException {
        ConformanceSuite.Run run = suite("/bin/true", "--requirements", "2026-07-28");

        assertThat(run.exitCode()).as(run.output()).isNotZero();
    }

    // Many scenarios run concurrently on few processors, so each may take much longer than alone.
    private ConformanceSuite.Run suite(String command, String... arguments) throws IOException {
        String[] all = new String[arguments.length + 5];
        all[0] = "client";
        all[1] = "--command";
        all[2] = command;
        all[3] = "--timeout";
        all[4] = "240000";
        System.arraycopy(arguments, 0, all, 5, arguments.length);
        return ConformanceSuite.run(folder.resolve("output.txt"), LIMIT, all);
    }

    /** A script that runs the class; the suite splits commands at spaces, so the command must be a single file. */
    private String command(Class<?> main) throws IOException {
        Path script = folder.resolve("client.sh");
        Files.writeString(
                script,
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m -cp '"
                        + System.getProperty("java.class.path") + "' " + main.getName() + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }
}
