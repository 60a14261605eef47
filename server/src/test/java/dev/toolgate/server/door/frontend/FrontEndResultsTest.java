package dev.toolgate.server.door.frontend;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Results of real tools that the documented examples do not cover. */
class FrontEndResultsTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client frontEnd;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        frontEnd = server.as(FIRST, Role.AGENT);
        for (String tool : new String[] {"file_read", "file_write", "bash", "memory_delete", "memory_retrieve"}) {
            Reply granted = server.admin().put("/api/v1/permissions/agent_1/" + tool, "{\"allowed\": true}");
            assertThat(granted.status()).isEqualTo(200);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_truncated_file_is_marked_and_the_rest_is_read_by_offset() throws Exception {
        String lines = IntStream.rangeClosed(1, 30_000)
                .mapToObj("line %05d and some more text to fill the file up to size"::formatted)
                .collect(Collectors.joining("\n"));
        Files.writeString(home.resolve("workspace").resolve("big.txt"), lines);

        StringBuilder collected = new StringBuilder();
        JsonNode part = result(execute("readFile", Map.of("path", "big.txt")));
        assertThat(part.path("truncated").asBoolean()).isTrue();
        while (part.path("truncated").asBoolean(false)) {
            collected.append(part.path("content").stringValue());
            part = result(execute(
                    "readFile",
                    Map.of("path", "big.txt", "offset", part.path("nextOffset").asLong())));
        }
        collected.append(part.path("content").stringValue());

        assertThat(collected.toString()).isEqualTo(lines);
        assertThat(part.has("truncated")).isFalse();
    }

    @Test
    void an_image_is_fetched_by_the_reference_beside_the_result() throws Exception {
        byte[] image = HexFormat.of().parseHex("89504e470d0a1a0a0000000d49484452");
        Files.write(home.resolve("workspace").resolve("plot.png"), image);

        JsonNode artifact = execute("readFile", Map.of("path", "plot.png"))
                .json()
                .path("artifacts")
                .path(0);

        assertThat(artifact.path("kind").asString()).isEqualTo("image");
        assertThat(artifact.path("mediaType").asString()).startsWith("image/png");
        assertThat(artifact.path("name").asString()).isEqualTo("plot.png");
        Reply fetched = frontEnd.get("/" + artifact.path("uri").asString());
        assertThat(fetched.status()).as(fetched.toString()).isEqualTo(200);
        assertThat(fetched.text()).isNotEmpty();
    }

    @Test
    void a_truncated_output_is_fetched_in_full_by_its_reference() {
        Reply reply = execute("executeShellCommand", Map.of("command", "seq 1 60000"));

        assertThat(result(reply).path("stdout").stringValue()).contains("truncated");
        JsonNode artifact = reply.json().path("artifacts").path(0);
        assertThat(artifact.path("name").asString()).isEqualTo("stdout.txt");
        assertThat(frontEnd.get("/" + artifact.path("uri").asString()).text().lines())
                .hasSize(60_000);
    }

    @Test
    void a_missing_memory_key_is_not_found() {
        Reply reply = execute("memory_delete", Map.of("key", "never saved"));

        assertThat(reply.status()).as(reply.toString()).isEqualTo(404);
        assertThat(reply.json().path("error").path("code").asString()).isEqualTo("KEY_NOT_FOUND");
        assertThat(reply.json().path("error").path("retryable").asBoolean()).isFalse();
        assertThat(result(execute("memory_retrieve", Map.of("key", "never saved")))
                        .path("items")
                        .size())
                .isZero();
    }

    private static Reply execute(String tool, Map<String, Object> args) {
        return frontEnd.post(
                "/execute-tool",
                Json.MAPPER.writeValueAsString(Map.of("tool", tool, "args", args, "correlationId", "c1")));
    }

    private static JsonNode result(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json().path("result");
    }
}
