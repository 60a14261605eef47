package dev.toolgate.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.mcpclient.InstalledClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;

/**
 * A TypeScript package of the project, copied beside installed npm packages, where it is built, checked and tested. The
 * folders of the project that it refers to are copied too, to the same places.
 */
final class TypeScriptPackage {
    static final Path ROOT = Path.of(System.getProperty("toolgate.root", "..")).toAbsolutePath();

    private final Path installed;
    private final String place;
    private final Path logs;

    /**
     * Copies a package.
     *
     * @param installed the folder with {@code node_modules}
     * @param place the package's folder in the project
     * @param logs an existing folder for the programs' output
     */
    static TypeScriptPackage copied(Path installed, String place, Path logs) throws IOException {
        delete(installed.resolve(place));
        copy(ROOT.resolve(place), installed.resolve(place));
        return new TypeScriptPackage(installed, place, logs);
    }

    private TypeScriptPackage(Path installed, String place, Path logs) {
        this.installed = installed;
        this.place = place;
        this.logs = logs;
    }

    /** Copies other files or folders of the project. */
    TypeScriptPackage with(String... others) throws IOException {
        for (String other : others) {
            delete(installed.resolve(other));
            copy(ROOT.resolve(other), installed.resolve(other));
        }
        return this;
    }

    TypeScriptPackage build() throws Exception {
        run(InstalledClients.node(), "scripts/build.mjs");
        return this;
    }

    Path folder() {
        return installed.resolve(place);
    }

    /** The development dependencies in its own package.json. */
    Map<String, String> ownPackages() throws IOException {
        return packages(ROOT.resolve(place).resolve("package.json"), "devDependencies");
    }

    /** The installed packages, as in the package.json of the tests. */
    static Map<String, String> installedPackages(String name) throws IOException {
        return packages(Path.of("src/test/resources/mcp-clients", name, "package.json"), "dependencies");
    }

    /** Packs it and has the tarball checked. */
    void checkTarball(String name) throws Exception {
        run("npm", "pack", "--ignore-scripts", "--pack-destination", logs.toString());
        String tarball = logs.resolve(name).toString();
        node("publint/src/cli.js", "--strict", tarball);
        node("@arethetypeswrong/cli/dist/index.js", tarball, "--no-emoji");
    }

    /** Runs a program of an installed package, which must succeed. */
    void node(String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                InstalledClients.node(),
                installed.resolve("node_modules").resolve(script).toString()));
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    private void run(String... command) throws Exception {
        Path log = logs.resolve("output.txt");
        assertThat(start(log, Map.of(), List.of(command)).exitValue())
                .as(Files.readString(log))
                .isZero();
    }

    /**
     * Runs tests of the package; every one of them becomes a test of the build.
     *
     * @param label prefix of the test names
     * @param command the program with its options
     * @param files the files of the tests, or patterns
     */
    List<DynamicTest> test(String label, Map<String, String> environment, List<String> command, List<String> files)
            throws Exception {
        Path report = Files.createTempFile(logs, "report", ".xml");
        Path log = Files.createTempFile(logs, "tests", ".txt");
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("--test", "--test-reporter=junit", "--test-reporter-destination=" + report));
        whole.addAll(files);
        start(log, environment, whole);
        List<DynamicTest> results = results(label, report, log);
        assertThat(results).as(Files.readString(log)).isNotEmpty();
        return results;
    }

    private static List<DynamicTest> results(String label, Path report, Path log) throws Exception {
        assertThat(report).as(Files.readString(log)).isNotEmptyFile();
        NodeList cases = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        return IntStream.range(0, cases.getLength())
                .mapToObj(i -> (Element) cases.item(i))
                .map(each -> dynamicTest(label + each.getAttribute("name"), () -> assertThat(problems(each))
                        .isEmpty()))
                .toList();
    }

    private static String problems(Element testcase) {
        return Stream.of("failure", "error", "skipped")
                .map(testcase::getElementsByTagName)
                .filter(found -> found.getLength() > 0)
                .map(found -> found.item(0).getTextContent())
                .reduce("", String::concat);
    }

    private Process start(Path log, Map<String, String> environment, List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TOOLGATE"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("ended").isTrue();
            return process;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static Map<String, String> packages(Path file, String field) throws IOException {
        JsonNode list = Json.MAPPER.readTree(Files.readString(file)).path(field);
        return list.properties().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue()
                .asString()));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path name = from.relativize(file);
                if (!name.startsWith("node_modules") && !name.startsWith("dist")) {
                    Path target = to.resolve(name.toString());
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void delete(Path old) throws IOException {
        if (Files.exists(old)) {
            try (Stream<Path> files = Files.walk(old)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
