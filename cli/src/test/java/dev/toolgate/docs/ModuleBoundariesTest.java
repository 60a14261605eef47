package dev.toolgate.docs;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ModuleBoundariesTest {
    private static final JavaClasses CLASSES = ProductClasses.ALL;

    @Test
    void core_depends_only_on_json_schemas_and_logging() {
        classes()
                .that()
                .resideInAPackage("dev.toolgate.core..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.toolgate.core..",
                        "java..",
                        "javax.crypto..",
                        "tools.jackson..",
                        "com.networknt.schema..",
                        "com.github.victools.jsonschema..",
                        "com.fasterxml..",
                        "org.slf4j..",
                        "org.jspecify.annotations..")
                .check(CLASSES);
    }

    @Test
    void no_http_in_core() {
        noClasses()
                .that()
                .resideInAPackage("dev.toolgate.core..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("java.net..", "org.apache.hc..", "org.eclipse.jetty..", "com.sun.net..")
                                // Parsing of address literals, without network access.
                                .and(not(belongToAnyOf(URI.class, URISyntaxException.class))))
                .check(CLASSES);
    }

    @Test
    void the_runtime_has_no_http_server_and_http_clients_only_in_network_tools() {
        noClasses()
                .that()
                .resideInAPackage("dev.toolgate.runtime..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.eclipse.jetty..", "com.sun.net.httpserver..", "jakarta.servlet..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.toolgate.runtime..")
                .and()
                .resideOutsideOfPackages("dev.toolgate.runtime.network..", "dev.toolgate.runtime.tools.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hc..", "java.net.http..")
                .check(CLASSES);
    }

    @Test
    void the_runtime_does_not_depend_on_the_server() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.toolgate.core..", "dev.toolgate.runtime..", "dev.toolgate.tools..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.toolgate.server..", "dev.toolgate.chat..", "dev.toolgate.store..")
                .check(CLASSES);
    }

    @Test
    void chat_depends_only_on_core_json_and_the_java_http_client() {
        classes()
                .that()
                .resideInAPackage("dev.toolgate.chat..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.toolgate.chat..",
                        "dev.toolgate.core..",
                        "java..",
                        "javax.net.ssl..",
                        "tools.jackson..",
                        "org.slf4j..",
                        "org.jspecify.annotations..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage("dev.toolgate.chat.model..", "dev.toolgate.chat.loop..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "dev.toolgate.chat.provider..")
                .check(CLASSES);
    }

    @Test
    void the_mcp_protocol_does_not_depend_on_the_gate() {
        classes()
                .that()
                .resideInAPackage("dev.toolgate.mcp..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.toolgate.mcp..",
                        "java..",
                        "javax.net.ssl..",
                        "tools.jackson..",
                        "org.slf4j..",
                        "org.jspecify.annotations..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.toolgate..")
                .and()
                .resideOutsideOfPackages(
                        "dev.toolgate.mcp..",
                        "dev.toolgate.runtime.upstream..",
                        "dev.toolgate.server..",
                        "dev.toolgate.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.toolgate.mcp..")
                .check(CLASSES);
    }

    @Test
    void the_java_client_depends_on_json_and_the_java_http_client_only() {
        classes()
                .that()
                .resideInAPackage("dev.toolgate.client..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.toolgate.client..",
                        "java..",
                        "tools.jackson..",
                        "com.fasterxml.jackson.annotation..",
                        "com.sun.net.httpserver..", // the mock
                        "org.jspecify.annotations..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.toolgate.client..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.toolgate.client..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.toolgate.client.testing..")
                .and()
                .resideInAPackage("dev.toolgate.client..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.net.httpserver..")
                .check(CLASSES);
    }

    /** By their sources: the frameworks are on the class path of the adapters only. */
    @Test
    void adapters_depend_on_the_java_client_and_their_framework_only() throws IOException {
        Map<String, String> frameworks =
                Map.of("langchain4j", "dev\\.langchain4j\\.", "spring-ai", "org\\.springframework\\.");
        for (Map.Entry<String, String> adapter : frameworks.entrySet()) {
            Pattern known = Pattern.compile(
                    "import (static )?(java\\.|org\\.jspecify\\.|tools\\.jackson\\.|dev\\.toolgate\\.client\\.|"
                            + adapter.getValue() + ").*");
            Path sources = Documents.ROOT.resolve("integrations/java/" + adapter.getKey() + "/src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                List<String> imports = files.filter(Files::isRegularFile)
                        .flatMap(file -> Documents.text(file).lines())
                        .filter(line -> line.startsWith("import "))
                        .toList();
                assertThat(imports).isNotEmpty().allMatch(line -> known.matcher(line)
                        .matches());
            }
        }
    }

    @Test
    void tools_do_not_depend_on_each_other() {
        slices().matching("dev.toolgate.runtime.tools.(*)..")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
        slices().matching("dev.toolgate.tools.(*)..")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void the_pipeline_depends_on_no_implementation_of_a_port() {
        noClasses()
                .that()
                .resideInAPackage("dev.toolgate.core.pipeline..")
                .should()
                .dependOnClassesThat()
                .haveSimpleNameStartingWith("InMemory")
                .check(CLASSES);
    }

    @Test
    void the_http_module_does_not_depend_on_the_gate() {
        noClasses()
                .that()
                .resideInAPackage("dev.toolgate.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.toolgate.core.pipeline..",
                        "dev.toolgate.server..",
                        "dev.toolgate.store..",
                        "dev.toolgate.chat..",
                        "dev.toolgate.tools..",
                        "dev.toolgate.cli..")
                .check(CLASSES);
    }

    @Test
    void only_the_cli_depends_on_the_cli() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.toolgate.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.toolgate.cli..", "picocli..")
                .check(CLASSES);
    }

    @Test
    void gate_identity_and_operate_do_not_depend_on_doors() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.toolgate.server.gate..", "dev.toolgate.server.identity..", "dev.toolgate.server.operate..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.toolgate.server.door..", "dev.toolgate.server.admin..")
                .check(CLASSES);
    }

    @Test
    void packages_have_no_cycles() {
        slices().matching("dev.toolgate.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
