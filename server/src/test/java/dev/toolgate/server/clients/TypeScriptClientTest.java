package dev.toolgate.server.clients;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.chat.ChatTrial;
import dev.toolgate.server.mcpclient.InstalledClients;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The TypeScript client is built, checked as a package, and tested with its own tests: the recorded exchanges, and
 * every scenario against a real server.
 */
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TypeScriptClientTest {
    private static final String PACKAGES = "toolgate-typescript";

    @TempDir
    private static Path folder;

    private static TypeScriptPackage client;
    private static ChatTrial trial;
    private static ToolgateServer strict;

    @BeforeAll
    static void build() throws Exception {
        client = TypeScriptPackage.copied(InstalledClients.npm(PACKAGES), "clients/typescript", folder)
                .with("clients/contract", "docs/api/openapi.yaml", "docs/guides/typescript.md", "LICENSE")
                .build();
        trial = ChatTrial.start(folder.resolve("home"), Map.of());
        trial.model.does(TypeScriptClientTest::answer);
        strict = trial.server.another(
                folder.resolve("strict"), Map.of("approvals.expire_after", "1s", "limits.refused.calls", "3"));
    }

    @AfterAll
    static void stop() throws IOException {
        strict.close();
        trial.close();
    }

    @Test
    @Order(1)
    void is_tested_with_its_own_development_dependencies() throws Exception {
        assertThat(TypeScriptPackage.installedPackages(PACKAGES)).isEqualTo(client.ownPackages());
    }

    @Test
    @Order(2)
    void packs_into_a_tarball_that_package_checkers_accept() throws Exception {
        client.checkTarball("toolgate-client-0.1.0.tgz");
    }

    @TestFactory
    @Order(3)
    List<DynamicTest> passes_its_own_tests() throws Exception {
        List<DynamicTest> results = client.test(
                "",
                environment(),
                List.of(InstalledClients.node(), "--experimental-test-isolation=none"),
                List.of("test/*.test.ts", "test/gate/*.test.ts"));
        assertThat(results).hasSizeGreaterThan(100);
        return results;
    }

    /** Node 20 does not run TypeScript: compiling the tests also checks the types of tests and examples. */
    @TestFactory
    @Order(4)
    List<DynamicTest> passes_its_own_tests_on_the_oldest_supported_node() throws Exception {
        client.node(
                "typescript/bin/tsc",
                "--project",
                "test/tsconfig.json",
                "--noEmit",
                "false",
                "--allowImportingTsExtensions",
                "false",
                "--rewriteRelativeImportExtensions");
        try (Stream<Path> compiled = Files.walk(client.folder().resolve("test"))) {
            // The examples stay TypeScript, and the first run has already created their agents.
            List<String> tests = compiled.map(client.folder()::relativize)
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".test.js") && !name.endsWith("examples.test.js"))
                    .sorted()
                    .toList();
            assertThat(tests).hasSizeGreaterThan(8);
            return client.test(
                    "Node 20: ",
                    environment(),
                    List.of(InstalledClients.oldestNode(), "--experimental-websocket", "--test-concurrency=4"),
                    tests);
        }
    }

    private static Map<String, String> environment() {
        return Map.of(
                "TOOLGATE_URL", trial.server.url(),
                "TOOLGATE_KEY", trial.server.key(RunningServer.FIRST, Role.ADMIN, null),
                "STRICT_URL", strict.url());
    }

    /** A model that answers according to the last message. */
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
}
