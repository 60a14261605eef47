package dev.toolgate.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.InstalledClients;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The TypeScript integrations are built on the client, checked as a package, and tested with their own tests: the
 * real frameworks with scripted models, against a real server.
 */
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TypeScriptIntegrationsTest {
    private static final String PACKAGES = "toolgate-integrations";
    private static final String CLIENT = "@toolgate/client";

    @TempDir
    private static Path folder;

    private static TypeScriptPackage client;
    private static TypeScriptPackage integrations;

    @BeforeAll
    static void build() throws Exception {
        Path installed = InstalledClients.npm(PACKAGES);
        client = TypeScriptPackage.copied(installed, "clients/typescript", folder)
                .with("docs/api/openapi.yaml", "LICENSE")
                .build();
        Path link = installed.resolve("node_modules").resolve(CLIENT);
        Files.createDirectories(link.getParent());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, client.folder());
        integrations = TypeScriptPackage.copied(installed, "integrations/typescript", folder)
                .with("docs/guides/ai-sdk.md")
                .build();
    }

    @Test
    @Order(1)
    void are_tested_with_their_own_development_dependencies() throws Exception {
        Map<String, String> own = new HashMap<>(client.ownPackages());
        own.putAll(integrations.ownPackages());
        assertThat(own.remove(CLIENT)).isEqualTo("file:../../clients/typescript");

        assertThat(TypeScriptPackage.installedPackages(PACKAGES)).isEqualTo(own);
    }

    @Test
    @Order(2)
    void have_the_right_types_in_their_tests_and_examples() throws Exception {
        integrations.node("typescript/bin/tsc", "--project", "test/tsconfig.json");
    }

    @Test
    @Order(3)
    void pack_into_a_tarball_that_package_checkers_accept() throws Exception {
        integrations.checkTarball("toolgate-integrations-0.1.0.tgz");
    }

    @TestFactory
    @Order(4)
    List<DynamicTest> pass_their_own_tests() throws Exception {
        try (RunningServer server = RunningServer.start(folder.resolve("home"))) {
            List<DynamicTest> results = integrations.test(
                    "",
                    Map.of(
                            "TOOLGATE_URL", server.url(),
                            "TOOLGATE_KEY", server.key(RunningServer.FIRST, Role.ADMIN, null)),
                    List.of(InstalledClients.node(), "--experimental-test-isolation=none"),
                    List.of("test/*.test.ts"));
            assertThat(results).hasSizeGreaterThan(40);
            return results;
        }
    }
}
