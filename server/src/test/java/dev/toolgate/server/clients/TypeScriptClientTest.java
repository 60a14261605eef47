package dev.toolgate.server.clients;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.chat.ChatTrial;
import dev.toolgate.server.mcpclient.InstalledClients;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;

/**
 * The TypeScript client is built, checked as a package, and put through its own tests: the recorded exchanges, and every
 * scenario against a real server.
 */
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TypeScriptClientTest {
    private static final Path ROOT =
            Path.of(System.getProperty("toolgate.root", "..")).toAbsolutePath();
    private static final Path SOURCES = ROOT.resolve("clients/typescript");

    @TempDir
    private static Path folder;

    private static Path client;

    /** Copies the client beside the installed packages, with the files of the project that it refers to. */
    @BeforeAll
    static void build() throws Exception {
        Path installed = InstalledClients.npm("toolgate-typescript");
        client = installed.resolve("clients/typescript");
        delete(installed.resolve("clients"));
        copy(SOURCES, client);
        copy(ROOT.resolve("clients/contract"), installed.resolve("clients/contract"));
        for (String file : List.of("docs/api/openapi.yaml", "docs/guides/typescript.md", "LICENSE")) {
            Path target = installed.resolve(file);
            Files.createDirectories(target.getParent());
            Files.write(target, Files.readAllBytes(ROOT.resolve(file)));
        }
        run(Map.of(), InstalledClients.node(), "scripts/build.mjs");
    }

    @Test
    @Order(1)
    void is_tested_with_the_packages_of_its_own_list() throws Exception {
        JsonNode own = json(SOURCES.resolve("package.json")).path("devDependencies");
        JsonNode installed = json(Path.of("src/test/resources/mcp-clients/toolgate-typescript/package.json"))
                .path("dependencies");

        assertThat(installed).isEqualTo(own);
    }

    @Test
    @Order(2)
    void has_the_right_types_in_its_tests_and_examples() throws Exception {
        node("typescript/bin/tsc", "--project", "test/tsconfig.json");
    }

    @Test
    @Order(3)
    void packs_into_a_tarball_that_package_checkers_accept() throws Exception {
        run(Map.of(), "npm", "pack", "--ignore-scripts", "--pack-destination", folder.toString());
        String tarball = folder.resolve("toolgate-client-0.1.0.tgz").toString();

        node("publint/src/cli.js", "--strict", tarball);
        node("@arethetypeswrong/cli/dist/index.js", tarball, "--no-emoji");
    }

    @TestFactory
    @Order(4)
    List<DynamicTest> passes_its_own_tests() throws Exception {
        Path report = folder.resolve("report.xml");
        try (ChatTrial trial = ChatTrial.start(folder.resolve("home"), Map.of())) {
            trial.model.does(TypeScriptClientTest::answer);
            Map<String, String> strict = Map.of("approvals.expire_after", "1s", "limits.refused.calls", "3");
            try (ToolgateServer other = trial.server.another(folder.resolve("strict"), strict)) {
                Map<String, String> environment = Map.of(
                        "TOOLGATE_URL", trial.server.url(),
                        "TOOLGATE_KEY", trial.server.key(RunningServer.FIRST, Role.ADMIN, null),
                        "STRICT_URL", other.url());
                List<String> command = new ArrayList<>(List.of(
                        InstalledClients.node(),
                        "--test",
                        "--experimental-test-isolation=none",
                        "--test-reporter=junit",
                        "--test-reporter-destination=" + report));
                command.addAll(List.of("test/*.test.ts", "test/gate/*.test.ts"));
                start(environment, command.toArray(String[]::new));
            }
        }
        List<DynamicTest> results = results(report);
        assertThat(results).as(output()).hasSizeGreaterThan(100);
        return results;
    }

    /** A model that answers by what was said last. */
    private static void answer(ScriptedServer.Talk talk) throws IOException {
        JsonNode messages = talk.request().json().path("messages");
        JsonNode last = messages.path(messages.size() - 1);
        String said = last.toString();
        if (said.contains("Hang on")) {
            talk.begin().send(words("One moment").frames().subList(0, 2)).hang();
        } else if (said.contains("list the files")) {
            talk.begin()
                    .send(calls(call("call_1", "file_list", "path", ".")).frames())
                    .end();
        } else {
            talk.begin().send(words("Hello, ", "you.").frames()).end();
        }
    }

    /** Every test of the client as a test of the build. */
    private static List<DynamicTest> results(Path report) throws Exception {
        assertThat(report).as(output()).exists();
        NodeList cases = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        return IntStream.range(0, cases.getLength())
                .mapToObj(i -> (Element) cases.item(i))
                .map(each -> dynamicTest(each.getAttribute("name"), () -> assertThat(problems(each))
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

    private static void node(String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(InstalledClients.node(), "../../node_modules/" + script));
        command.addAll(List.of(arguments));
        run(Map.of(), command.toArray(String[]::new));
    }

    private static void run(Map<String, String> environment, String... command) throws Exception {
        assertThat(start(environment, command)).as(output()).isZero();
    }

    private static int start(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(client.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TOOLGATE"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("ended").isTrue();
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String output() throws IOException {
        return Files.readString(folder.resolve("output.txt"));
    }

    private static JsonNode json(Path file) throws IOException {
        return Json.MAPPER.readTree(Files.readString(file));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path name = from.relativize(file);
                if (!name.startsWith("node_modules") && !name.startsWith("dist")) {
                    Files.createDirectories(to.resolve(name).getParent());
                    Files.copy(file, to.resolve(name));
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
