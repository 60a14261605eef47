package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Invalid requests to the route that runs tools: client errors, and nothing runs. */
class BadInputTest {
    private static final String GOOD =
            "{\"request_id\": \"bad\", \"agent_id\": \"agent\", \"tool_name\": \"note\", \"operation\": \"trial\","
                    + " \"parameters\": {}}";

    @TempDir
    private static Path home;

    private static LiveTrial live;

    /**
     * A body and its expected status.
     *
     * @param body a character for each byte
     */
    record Bad(String what, String body, int status) {
        static Bad of(String what, String body) {
            return new Bad(what, body, 400);
        }

        @Override
        public String toString() {
            return what;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        live = LiveTrial.start(home);
        live.admin.grant("agent", "note");
    }

    @AfterAll
    static void stop() throws Exception {
        live.close();
    }

    static Stream<Bad> bodies() {
        return Stream.of(
                Bad.of("nothing", ""),
                Bad.of("no JSON", "agent=1"),
                Bad.of("half of it", GOOD.substring(0, 40)),
                Bad.of("more than it", GOOD + GOOD),
                Bad.of("an array", "[" + GOOD + "]"),
                Bad.of("null", "null"),
                Bad.of("an unknown field", with("\"surprise\": 1")),
                Bad.of("a duplicate key", with("\"agent_id\": \"other\"")),
                Bad.of("a duplicate key in parameters", good("{\"text\": \"a\", \"text\": \"b\"}")),
                Bad.of("a missing agent", GOOD.replace("\"agent_id\": \"agent\",", "")),
                Bad.of("a missing request id", GOOD.replace("\"request_id\": \"bad\",", "")),
                Bad.of("missing parameters", GOOD.replace(", \"parameters\": {}", "")),
                Bad.of("a number for the agent", GOOD.replace("\"agent\"", "7")),
                Bad.of("an object for the tool", GOOD.replace("\"note\"", "{}")),
                Bad.of("a text for the parameters", good("\"{}\"")),
                Bad.of("an array for the parameters", good("[]")),
                Bad.of("null for the tool", GOOD.replace("\"note\"", "null")),
                Bad.of("an empty request id", GOOD.replace("\"bad\"", "\"\"")),
                Bad.of("a long request id", GOOD.replace("\"bad\"", "\"" + "x".repeat(101) + "\"")),
                Bad.of("a zero character", GOOD.replace("\"agent\"", "\"a\\u0000b\"")),
                Bad.of("half a character", GOOD.replace("\"agent\"", "\"a\\ud800b\"")),
                Bad.of("a bad time", with("\"timestamp\": \"yesterday\"")),
                new Bad("a wrong argument", good("{\"text\": 7}"), 200),
                new Bad("an unknown argument", good("{\"surprise\": 7}"), 200),
                Bad.of("a huge number", good("{\"text\": 1e999999999}")),
                Bad.of("a long number", good("{\"text\": " + "9".repeat(100_000) + "}")),
                Bad.of("deep arrays", good("{\"text\": " + "[".repeat(10_000) + "]".repeat(10_000) + "}")),
                Bad.of("deep objects", good("{\"text\": " + "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_001))),
                Bad.of("invalid UTF-8", GOOD.replace("trial", "tri\u00e9l")),
                new Bad("20 MB", good("{\"text\": \"" + "x".repeat(20 << 20) + "\"}"), 413));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void is_refused_with_a_client_error(Bad bad) {
        int runs = live.note.runs();
        Reply reply = live.admin.send(
                "POST", "/api/v1/tools/execute", BodyPublishers.ofString(bad.body(), StandardCharsets.ISO_8859_1));
        assertThat(reply.status()).as(reply.text()).isEqualTo(bad.status());
        assertThat(reply.whole().headers().firstValue("Content-Type").orElse(""))
                .startsWith("application/json");
        assertThat(reply.text()).doesNotContain("Exception", "\tat ", "tools.jackson", "dev.toolgate");
        assertThat(reply.text().length()).isLessThan(4_000);
        assertThat(error(reply).path("code").asString()).as(reply.text()).isEqualTo("INVALID_REQUEST");
        assertThat(error(reply).path("message").asString()).isNotBlank();
        assertThat(error(reply).path("retryable").asBoolean(true)).isFalse();
        assertThat(live.note.runs()).isEqualTo(runs);
        assertThat(live.admin.get("/health/live").status()).isEqualTo(200);
    }

    @Test
    void the_server_still_works_after_bad_input() {
        Reply reply = live.admin.execute("good", "agent", "note", "{\"text\": \"fine\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(live.trial.audit().verify().faults()).isEmpty();
    }

    @Test
    void invalid_queries_and_paths_are_client_errors() {
        Map<String, Integer> statuses = Map.of(
                "/api/v1/audit/logs?surprise=1",
                400,
                "/api/v1/audit/logs?limit=many",
                400,
                "/api/v1/audit/logs?start_date=yesterday",
                400,
                "/api/v1/audit/logs?allowed=perhaps",
                400,
                "/api/v1/audit/logs?page=nonsense",
                400,
                "/api/v1/keys/not-a-key",
                404,
                "/api/v1/agents/%00",
                400,
                "/api/v1/tools/permissions/" + "x".repeat(101),
                400,
                "/api/v1/nowhere",
                404);
        statuses.forEach((path, status) -> {
            Reply reply = live.admin.get(path);
            assertThat(reply.status()).as(path + " " + reply).isEqualTo(status);
            assertThat(reply.error().path("message").asString()).as(path).isNotBlank();
        });
        for (String method : List.of("PUT", "DELETE", "PATCH")) {
            assertThat(live.admin
                            .send(method, "/api/v1/tools/execute", BodyPublishers.ofString(GOOD))
                            .status())
                    .isEqualTo(405);
        }
    }

    // A valid call that cannot be made has a recorded result.
    private static JsonNode error(Reply reply) {
        return reply.json().has("error")
                ? reply.error()
                : reply.json().path("result").path("error");
    }

    private static String with(String field) {
        return GOOD.replaceFirst("\\{", "{" + field + ", ");
    }

    private static String good(String parameters) {
        return GOOD.replace("\"parameters\": {}", "\"parameters\": " + parameters)
                .replace("\"bad\"", "\"bad-" + parameters.hashCode() + "\"");
    }
}
