package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.config.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class ContainerFilesTest {
    private static final JsonNode COMPOSE = new YAMLMapper().readTree(text("compose.yaml"));
    private static final List<Instruction> DOCKERFILE = instructions();
    private static final Pattern SECRET_NAME = Pattern.compile("(?i)password|secret|key|token|url");

    @TempDir
    private Path folder;

    private record Instruction(String name, String rest) {}

    private static String text(String file) {
        return Documents.text(Documents.ROOT.resolve(file));
    }

    private static List<Instruction> instructions() {
        return text("Dockerfile")
                .replaceAll("(?m)^#.*\\R", "")
                .replaceAll("\\\\\\R\\s*", " ")
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.split(" ", 2))
                .map(parts -> new Instruction(parts[0], parts[1].strip()))
                .toList();
    }

    private static Stream<String> all(String name) {
        return DOCKERFILE.stream().filter(i -> i.name().equals(name)).map(Instruction::rest);
    }

    private static Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>();
        all("ENV").flatMap(rest -> Arrays.stream(rest.split("\\s+"))).forEach(pair -> {
            String[] parts = pair.split("=", 2);
            environment.put(parts[0], parts[1]);
        });
        return environment;
    }

    @Test
    void the_dockerfile_is_valid_and_runs_as_an_unprivileged_user() {
        assertThat(DOCKERFILE)
                .extracting(Instruction::name)
                .isSubsetOf(
                        "FROM",
                        "WORKDIR",
                        "COPY",
                        "RUN",
                        "ENV",
                        "USER",
                        "VOLUME",
                        "EXPOSE",
                        "STOPSIGNAL",
                        "HEALTHCHECK",
                        "ENTRYPOINT",
                        "CMD");
        assertThat(all("USER").toList().getLast()).isEqualTo("toolgate");
        assertThat(all("RUN")).anyMatch(run -> run.contains("useradd") && run.contains(" toolgate"));
        assertThat(all("FROM"))
                .as("by digest")
                .allMatch(from -> from.matches("[a-z-]+:[\\w.-]+@sha256:[0-9a-f]{64}( AS [a-z]+)?"));
    }

    @Test
    void every_copied_project_file_exists_and_is_not_ignored() {
        List<String> leftOut = text(".dockerignore").lines().toList();
        List<String> copied = all("COPY")
                .filter(copy -> !copy.contains("--from"))
                .map(copy -> copy.replaceAll("--\\S+\\s+", ""))
                .flatMap(copy -> Arrays.stream(copy.split("\\s+")).limit(copy.split("\\s+").length - 1L))
                .toList();

        assertThat(copied).contains("pom.xml", "server", "scripts/container.sh");
        assertThat(copied).allMatch(path -> Files.exists(Documents.ROOT.resolve(path)));
        assertThat(copied).noneMatch(path -> leftOut.contains(path.split("/")[0]));
        Stream<String> modules = Pattern.compile("<module>(\\w+)</module>")
                .matcher(text("pom.xml"))
                .results()
                .map(module -> module.group(1));
        assertThat(modules)
                .as("Maven reads the pom of every module")
                .allMatch(module -> copied.contains(module) || copied.contains(module + "/pom.xml"));
    }

    @Test
    void copied_build_files_match_the_build_and_the_launcher() {
        assertThat(all("COPY").filter(copy -> copy.contains("--from=build")))
                .anyMatch(copy -> copy.contains("/src/cli/target/toolgate.jar /opt/toolgate/"))
                .anyMatch(copy -> copy.contains("/src/cli/target/lib /opt/toolgate/lib/"));
        assertThat(text("cli/pom.xml"))
                .contains("<finalName>toolgate</finalName>")
                .contains("<classpathPrefix>lib/</classpathPrefix>")
                .contains("${project.build.directory}/lib");
        assertThat(text("scripts/container.sh"))
                .contains("/opt/toolgate/scripts/launch.sh")
                .contains(" /opt/toolgate ");
        assertThat(all("COPY"))
                .anyMatch(copy -> copy.contains("scripts/launch.sh") && copy.endsWith("/opt/toolgate/scripts/"))
                .anyMatch(copy -> copy.equals("--chmod=755 scripts/hook /opt/toolgate/scripts/"));
        assertThat(text("scripts/container.sh"))
                .as("before any Java starts")
                .containsSubsequence("exec /opt/toolgate/scripts/hook", "launch ");
        assertThat(all("RUN")).anyMatch(run -> run.matches(".*apt-get install .*\\bcurl\\b.*"));
    }

    @Test
    void the_server_reads_the_settings_of_the_images_environment() {
        ServerSettings settings = ServerSettings.load(null, environment(), Map.of("home", folder.toString()));

        assertThat(environment()).containsEntry("TOOLGATE_HOME", "/data");
        assertThat(all("VOLUME")).containsExactly("/data");
        assertThat(settings.host()).isEqualTo("0.0.0.0");
        assertThat(all("EXPOSE")
                        .flatMap(ports -> Arrays.stream(ports.split(" ")))
                        .map(Integer::valueOf))
                .isEqualTo(settings.ports());
        assertThat(all("HEALTHCHECK")).allMatch(check -> check.endsWith("CMD [\"toolgate\", \"health\"]"));
        assertThat(all("ENTRYPOINT")).containsExactly("[\"toolgate\"]");
    }

    @Test
    void compose_starts_the_server_after_a_healthy_database() {
        JsonNode server = COMPOSE.at("/services/toolgate");
        JsonNode database = COMPOSE.at("/services/postgres");

        assertThat(server.at("/depends_on/postgres/condition").asString()).isEqualTo("service_healthy");
        assertThat(database.at("/image").asString()).matches("postgres:18@sha256:[0-9a-f]{64}");
        assertThat(database.at("/healthcheck/test/1").asString()).startsWith("pg_isready");
        for (JsonNode service : List.of(server, database)) {
            service.path("secrets").valueStream().forEach(secret -> {
                assertThat(COMPOSE.path("secrets").has(secret.asString())).isTrue();
                assertThat(service.path("environment").valueStream().map(JsonNode::asString))
                        .contains("/run/secrets/" + secret.asString());
            });
            service.path("volumes").valueStream().forEach(volume -> assertThat(
                            COMPOSE.path("volumes").has(volume.asString().split(":", 2)[0]))
                    .isTrue());
        }
        assertThat(server.path("volumes").valueStream().map(JsonNode::asString)).contains("toolgate-data:/data");
        assertThat(server.path("ports").valueStream().map(port -> port.asString()
                        .replaceFirst(".*:", "")))
                .containsExactly(all("EXPOSE").findFirst().orElseThrow().split(" "));
    }

    @Test
    void compose_gives_the_gate_minimal_privileges() {
        JsonNode server = COMPOSE.at("/services/toolgate");

        assertThat(server.path("cap_drop").valueStream().map(JsonNode::asString))
                .containsExactly("ALL");
        assertThat(server.has("cap_add")).isFalse();
        assertThat(server.path("privileged").asBoolean(false)).isFalse();
        assertThat(server.path("read_only").asBoolean()).isTrue();
        assertThat(server.path("tmpfs").valueStream().map(mount -> mount.asString()
                        .replaceFirst(":.*", "")))
                .containsExactly("/tmp");
        assertThat(server.path("security_opt").valueStream().map(JsonNode::asString))
                .contains("no-new-privileges:true", "seccomp=scripts/container-seccomp.json")
                .doesNotContain("seccomp=unconfined");
    }

    @Test
    void the_seccomp_profile_allows_what_the_gate_and_bubblewrap_need() {
        JsonNode profile = Json.MAPPER.readTree(text("scripts/container-seccomp.json"));
        List<String> refused = profile.at("/syscalls/0/names")
                .valueStream()
                .map(JsonNode::asString)
                .toList();

        assertThat(profile.at("/syscalls/0/action").asString()).isEqualTo("SCMP_ACT_ERRNO");
        assertThat(refused)
                .contains(
                        "init_module", "kexec_load", "bpf", "ptrace", "keyctl", "open_by_handle_at", "perf_event_open")
                .doesNotContain(
                        "clone",
                        "clone3",
                        "unshare",
                        "setns",
                        "mount",
                        "umount2",
                        "pivot_root",
                        "prctl",
                        "seccomp",
                        "sethostname",
                        "capset",
                        "setresuid",
                        "setgroups",
                        "chroot")
                .doesNotHaveDuplicates();
    }

    @Test
    void compose_publishes_on_loopback_only_and_contains_no_password() {
        assertThat(COMPOSE.at("/services/toolgate/ports").valueStream().map(JsonNode::asString))
                .allMatch(port -> port.startsWith("127.0.0.1:"));
        assertThat(COMPOSE.at("/services/postgres").has("ports")).isFalse();
        for (String service : List.of("toolgate", "postgres")) {
            assertThat(COMPOSE.at("/services/" + service + "/environment").properties())
                    .filteredOn(setting -> SECRET_NAME.matcher(setting.getKey()).find())
                    .isNotEmpty()
                    .allMatch(setting -> setting.getKey().endsWith("_FILE")
                            || setting.getValue().isNull()); // passed through from the environment, not stored
        }
    }

    @Test
    void compose_passes_keys_and_urls_of_models_and_search_through() {
        JsonNode environment = COMPOSE.at("/services/toolgate/environment");
        Map<String, String> given = Map.of(
                "ANTHROPIC_API_KEY", "a-key-of-claude",
                "ANTHROPIC_BASE_URL", "http://claude.example",
                "OPENAI_API_KEY", "a-key-of-openai",
                "OPENAI_BASE_URL", "http://openai.example/v1",
                "OLLAMA_API_KEY", "a-key-of-ollama",
                "OLLAMA_HOST", "http://host.docker.internal:11434",
                "BRAVE_API_KEY", "a-key-of-brave",
                "SEARXNG_URL", "http://searxng.example",
                "GITHUB_TOKEN", "a-token-of-github");
        assertThat(given.keySet()).allSatisfy(name -> {
            assertThat(environment.has(name)).as(name).isTrue();
            assertThat(environment.path(name).isNull()).as(name).isTrue();
        });
        assertThat(text("docs/toolgate.example.yaml")).contains(given.keySet());

        String settings = ServerSettings.load(null, given, Map.of("home", folder.toString()))
                .toString();

        assertThat(settings)
                .contains(
                        "http://claude.example",
                        "http://openai.example/v1",
                        "http://host.docker.internal:11434",
                        "http://searxng.example");
        assertThat(COMPOSE.at("/services/toolgate/extra_hosts/0").asString())
                .isEqualTo("host.docker.internal:host-gateway");
    }

    @Test
    void the_server_reads_the_secret_from_its_file() throws IOException {
        Path secret =
                Files.writeString(folder.resolve("database_url"), "postgresql://toolgate:x@postgres:5432/toolgate\n");
        String name = COMPOSE.at("/services/toolgate/environment").propertyNames().stream()
                .filter(setting -> setting.endsWith("_FILE"))
                .findFirst()
                .orElseThrow();

        ServerSettings settings =
                ServerSettings.load(null, Map.of(name, secret.toString()), Map.of("home", folder.toString()));

        assertThat(String.valueOf(
                        settings.database().url() == null
                                ? ""
                                : settings.database().url().value()))
                .isEqualTo("postgresql://toolgate:x@postgres:5432/toolgate");
    }
}
