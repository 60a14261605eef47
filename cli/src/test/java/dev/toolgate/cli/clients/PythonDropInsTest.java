package dev.toolgate.cli.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of the drop-ins for Python frameworks in {@code integrations/python/tests}: every real framework with
 * a scripted model against a real server; and the types, the package and the guides.
 */
@Timeout(1800)
class PythonDropInsTest {
    @TempDir
    private Path folder;

    @TestFactory
    List<DynamicTest> dropIns() throws Exception {
        try (RunningServer server = RunningServer.start(folder.resolve("home"), Map.of())) {
            List<DynamicTest> tests =
                    new Pytest("integrations/python", "toolgate-python-dropins", folder).run(server, Map.of());
            assertThat(tests).hasSizeGreaterThan(80);
            return tests;
        }
    }
}
