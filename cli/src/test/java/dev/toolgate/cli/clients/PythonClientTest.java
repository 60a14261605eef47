package dev.toolgate.cli.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.mcp.ToolgateProcess;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.InstalledClients;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The client for Python with its own tests in {@code clients/python/tests}: recorded exchanges, types, the package, and
 * everything else against a real server, which is started and killed with the real command where a test is about that.
 */
@Timeout(1800)
class PythonClientTest {
    private static final Path CLIENT = Path.of(System.getProperty("toolgate.root"), "clients", "python");

    @TempDir
    private Path folder;

    @TestFactory
    List<DynamicTest> client() throws Exception {
        Path report = folder.resolve("report.xml");
        Path output = folder.resolve("output.txt");
        Map<String, String> options = Map.of(
                "limits.per_agent.calls", "60",
                "limits.per_agent.period", "5m",
                "limits.per_agent.burst", "15",
                "approvals.expire_after", "15s");
        try (RunningServer server = RunningServer.start(folder.resolve("home"), options)) {
            run(server, report, output);
        }
        assertThat(report).as("pytest: %s", Files.readString(output)).exists();
        List<DynamicTest> tests = tests(report);
        assertThat(tests).as("pytest: %s", Files.readString(output)).hasSizeGreaterThan(100);
        return tests;
    }

    private void run(RunningServer server, Path report, Path output) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        InstalledClients.python("toolgate-python")
                                .resolve("venv/bin/python")
                                .toString(),
                        "-m",
                        "pytest",
                        "--junit-xml=" + report,
                        "--basetemp=" + folder.resolve("pytest"))
                .directory(CLIENT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("TOOLGATE") || name.equals("DATABASE_URL"));
        environment.putAll(
                ToolgateProcess.environment(server.url(), server.key(RunningServer.FIRST, Role.ADMIN, null)));
        environment.put("TOOLGATE_COMMAND", String.join(" ", ToolgateProcess.command()));
        environment.put("TEST_DATABASE_URL", database());
        environment.put("RESTART_DATABASE_URL", database());
        environment.put("PYTHONPATH", "src");
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put("HOME", folder.toString());
        Process pytest = builder.start();
        try {
            assertThat(pytest.waitFor(20, TimeUnit.MINUTES)).as("pytest ended").isTrue();
        } finally {
            pytest.descendants().forEach(ProcessHandle::destroyForcibly);
            pytest.destroyForcibly();
        }
    }

    private static String database() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        return url.jdbcUrl() + "?user=" + url.user() + "&password=" + url.password();
    }

    /** Every test of pytest as a test of the build; one that was skipped has not succeeded. */
    private static List<DynamicTest> tests(Path report) throws Exception {
        NodeList cases = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            tests.add(DynamicTest.dynamicTest(
                    test.getAttribute("name").replace('_', ' '),
                    () -> assertThat(problems(test)).isEmpty()));
        }
        return tests;
    }

    private static String problems(Element test) {
        StringBuilder problems = new StringBuilder();
        for (String kind : List.of("failure", "error", "skipped")) {
            NodeList found = test.getElementsByTagName(kind);
            for (int i = 0; i < found.getLength(); i++) {
                problems.append(kind).append(": ").append(found.item(i).getTextContent());
            }
        }
        return problems.toString();
    }
}
