package dev.toolgate.cli.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.RunningServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of the Python client in {@code clients/python/tests}: recorded exchanges, types, the package, and
 * everything else against a real server. Tests of restarts start and kill a server with the real command.
 */
@Timeout(1800)
class PythonClientTest {
    @TempDir
    private Path folder;

    @TestFactory
    List<DynamicTest> client() throws Exception {
        Map<String, String> options = Map.of(
                "limits.per_agent.calls", "60",
                "limits.per_agent.period", "5m",
                "limits.per_agent.burst", "15",
                "approvals.expire_after", "15s");
        try (RunningServer server = RunningServer.start(folder.resolve("home"), options)) {
            List<DynamicTest> tests = new Pytest("clients/python", "toolgate-python", folder)
                    .run(server, Map.of("TEST_DATABASE_URL", database(), "RESTART_DATABASE_URL", database()));
            assertThat(tests).hasSizeGreaterThan(100);
            return tests;
        }
    }

    private static String database() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        return url.jdbcUrl() + "?user=" + url.user() + "&password=" + url.password();
    }
}
