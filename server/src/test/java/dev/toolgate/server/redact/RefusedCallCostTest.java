package dev.toolgate.server.redact;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The cost of refused calls and their audit records. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedCallCostTest {
    private static final int LENGTH = 9_500_000;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private RunningServer server;
    private Path home;
    private Client admin;
    private Client agent;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        home = folder;
        server = RunningServer.start(
                folder,
                Map.of(
                        "limits.refused.calls",
                        "40",
                        "redaction.personal_data",
                        "{\"acme\": [\"email\", \"card\", \"phone\"]}"));
        admin = server.admin();
        agent = server.as(FIRST, Role.AGENT);
        admin.post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    private static String call(String request, String agentId, String text) {
        return Json.MAPPER
                .createObjectNode()
                .put("request_id", request)
                .put("agent_id", agentId)
                .put("tool_name", "bash")
                .put("operation", "run")
                .set(
                        "parameters",
                        Json.MAPPER.createObjectNode().put("command", text).put("cwd", "/a/folder"))
                .toString();
    }

    private JsonNode record(Client reader, String request) {
        return reader.get("/api/v1/audit/logs?request_id=" + request).json().path(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"token=\"", "-----BEGIN PRIVATE KEY-----", "eyJaaaaaaaa.", "password=a "})
    void a_refused_call_of_megabytes_costs_little_more_than_reading_it(String part) {
        String body = call(
                "warm-" + UUID.randomUUID(),
                "agent_1",
                part.repeat(LENGTH / (Json.MAPPER.writeValueAsString(part).length() - 2)));
        Json.MAPPER.readTree(body);
        agent.post("/api/v1/tools/execute", body);
        long reading = Long.MAX_VALUE;
        long refusing = Long.MAX_VALUE;
        String request = "";
        for (int run = 0; run < 3; run++) {
            long before = PROCESS.getProcessCpuTime();
            assertThat(Json.MAPPER.readTree(body).size()).isEqualTo(5);
            long read = PROCESS.getProcessCpuTime();
            request = "big-" + UUID.randomUUID();
            Reply refused = agent.post("/api/v1/tools/execute", body.replaceFirst("warm-[0-9a-f-]+", request));
            refusing = Math.min(refusing, PROCESS.getProcessCpuTime() - read);
            reading = Math.min(reading, read - before);
            assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        }
        System.out.printf(
                "9.5 MB of %s: read in %d ms, refused in %d ms of processor%n",
                part, reading / 1_000_000, refusing / 1_000_000);
        assertThat(refusing).as("reading took %s", reading).isLessThan(Math.max(reading, 20_000_000) * 60);

        String parameters = record(admin, request).path("parameters").toString();
        assertThat(parameters.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4 * 1024);
        assertThat(parameters).contains("/a/folder", "characters, hmac-sha256:");
    }

    @Test
    void an_agent_that_floods_with_refused_calls_is_told_to_wait() {
        admin.post("/api/v1/agents", "{\"agent_id\": \"flood\"}");
        Client flood = server.withKey(server.key(FIRST, Role.AGENT, new dev.toolgate.core.call.AgentId("flood")));
        for (int number = 0; number < 40; number++) {
            assertThat(flood.post("/api/v1/tools/execute", call("flood-" + number, "flood", "ls"))
                            .status())
                    .isEqualTo(403);
        }
        Reply rejected = flood.post("/api/v1/tools/execute", call("flood-last", "flood", "ls"));

        assertThat(rejected.status()).as(rejected.toString()).isEqualTo(429);
        assertThat(rejected.header("Retry-After")).isPresent();
        assertThat(agent.post("/api/v1/tools/execute", call("not-flood", "agent_1", "ls"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_record_has_the_masked_length_and_the_digest_of_the_arguments() throws Exception {
        String text = "mysql --password=hunter22 -u root";
        admin.post("/api/v1/tools/execute", call("digest", "agent_1", text));
        byte[] key = Files.readString(home.resolve("digest.key")).strip().getBytes(StandardCharsets.UTF_8);
        ObjectNode sent = Json.MAPPER.createObjectNode().put("cwd", "/a/folder").put("command", text);

        JsonNode recorded = record(admin, "digest");

        assertThat(recorded.path("masked_characters").asInt())
                .as(recorded.toString())
                .isEqualTo(8);
        assertThat(recorded.path("parameters").path("command").asString())
                .isEqualTo("mysql --password=[redacted: 8 characters] -u root");
        assertThat(recorded.path("arguments_digest").asString())
                .isEqualTo(new KeyedDigest(key).of(sent))
                .isNotEqualTo(new KeyedDigest(key).of(sent.put("command", text.replace("22", "23"))));
    }

    @Test
    void personal_data_is_masked_for_the_configured_tenant() {
        Client acme = server.as(ACME, Role.ADMIN);
        String text = "mail a.b@example.com, card 4111 1111 1111 1111, phone +49 170 1234567";
        acme.post("/api/v1/tools/execute", call("personal", "somebody", text));
        admin.post("/api/v1/tools/execute", call("personal-first", "agent_1", text));

        assertThat(record(acme, "personal").path("parameters").path("command").asString())
                .isEqualTo(
                        "mail [redacted: 15 characters], card [redacted: 19 characters], phone [redacted: 15 characters]");
        assertThat(record(admin, "personal-first")
                        .path("parameters")
                        .path("command")
                        .asString())
                .isEqualTo(text);
    }

    @Test
    void the_digest_key_file_is_readable_by_its_owner_only() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("digest.key"))))
                .isEqualTo("rw-------");
        assertThat(Files.readString(home.resolve("digest.key")).strip()).hasSize(43);
    }
}
