package dev.toolgate.cli.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.mcp.ToolgateProcess;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.InstalledClients;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Runs the tests of a Python project with pytest against a server, each as a dynamic test. */
final class Pytest {
    private static final int MAX_MINUTES = 20;

    private final Path project;
    private final String packages;
    private final Path folder;

    /**
     * @param project its folder, relative to the root of the repository
     * @param packages the name of the environment with the packages it is tested with
     * @param folder for temporary files
     */
    Pytest(String project, String packages, Path folder) {
        this.project = Path.of(System.getProperty("toolgate.root")).resolve(project);
        this.packages = packages;
        this.folder = folder;
    }

    /** Runs all tests with an administrator's key. */
    List<DynamicTest> run(RunningServer server, Map<String, String> variables) throws Exception {
        Path report = folder.resolve("report.xml");
        Path output = folder.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(
                        InstalledClients.python(packages)
                                .resolve("venv/bin/python")
                                .toString(),
                        "-m",
                        "pytest",
                        "--junit-xml=" + report,
                        "--basetemp=" + folder.resolve("pytest"))
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("TOOLGATE") || name.equals("DATABASE_URL"));
        environment.putAll(
                ToolgateProcess.environment(server.url(), server.key(RunningServer.FIRST, Role.ADMIN, null)));
        environment.put("TOOLGATE_COMMAND", String.join(" ", ToolgateProcess.command()));
        environment.put("PYTHONPATH", "src");
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put("HOME", folder.toString());
        environment.putAll(variables);
        Process pytest = builder.start();
        try {
            assertThat(pytest.waitFor(MAX_MINUTES, TimeUnit.MINUTES))
                    .as("pytest ended")
                    .isTrue();
        } finally {
            pytest.descendants().forEach(ProcessHandle::destroyForcibly);
            pytest.destroyForcibly();
        }
        assertThat(report).as("pytest: %s", Files.readString(output)).exists();
        List<DynamicTest> tests = tests(report);
        assertThat(tests).as("pytest: %s", Files.readString(output)).isNotEmpty();
        return tests;
    }

    /** A skipped test counts as failed. */
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
