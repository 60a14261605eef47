package dev.toolgate.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ApprovalsCommandTest {
    private static final String QUESTION = """
            {"approval_id": "q1", "state": "pending", "request_id": "r1", "agent_id": "writer", "session_id": null,
             "project_id": null, "principal": "key:1", "tool_name": "bash", "operation": "run",
             "parameters": {"command": "ls"}, "reason": "It is dangerous", "approval_rule_id": null,
             "preview": "Run in /w:\\n\\u001b[31m    ls", "asked_at": "2026-01-01T00:00:00.123Z",
             "expires_at": "2026-01-01T01:00:00Z", "answered_at": null, "answered_by": null, "answer_reason": null,
             "scope": null}""";

    @TempDir
    private Path folder;

    private ScriptedServer server;
    private Terminal terminal;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("key"), "tg_some-key");
        server = new ScriptedServer();
        terminal = Terminal.at(server.url(), folder.resolve("key"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void waiting_calls_are_listed_as_a_table() {
        server.on("GET /api/v1/approvals?state=pending&agent_id=writer&limit=100", 200, "[" + QUESTION + "]");

        Terminal.Result result = terminal.run("approvals", "list", "--agent", "writer");

        assertThat(result.out()).contains("q1", "pending", "writer", "bash", "2026-01-01T00:00:00Z", "It is dangerous");
    }

    @Test
    void all_is_without_a_filter() {
        server.on("GET /api/v1/approvals?limit=100", 200, "[]");

        assertThat(terminal.run("approvals", "list", "--state", "all").out())
                .contains("There are no matching approvals.");
    }

    @Test
    void one_is_shown_with_its_preview_without_control_characters() {
        server.on("GET /api/v1/approvals/q1", 200, QUESTION);

        String card = terminal.run("approvals", "show", "q1").out();

        assertThat(card).contains("Agent:", "writer", "{\"command\":\"ls\"}", "Run in /w:", "    ls");
        assertThat(card).doesNotContain("\u001b");
    }

    @Test
    void approvals_and_denials_are_sent_with_their_reasons() {
        server.on("POST /api/v1/approvals/q1", 200, QUESTION.replace("pending", "approved"));

        assertThat(terminal.run("approvals", "approve", "q1", "--scope", "agent", "--for", "8h", "--reason", "fine")
                        .out())
                .contains("Call r1 of agent writer approved.");
        assertThat(sent().path("approved").asBoolean()).isTrue();
        assertThat(sent().path("scope").asString()).isEqualTo("agent");
        assertThat(sent().path("reason").asString()).isEqualTo("fine");
        assertThat(sent().path("expires_at").isString()).isTrue();

        assertThat(terminal.run("approvals", "deny", "q1").out()).contains("denied");
        assertThat(sent()).isEqualTo(Json.MAPPER.readTree("{\"approved\": false}"));
    }

    @Test
    void a_late_answer_is_reported() {
        server.on("POST /api/v1/approvals/q1", 409, """
                {"error": {"code": "INVALID_REQUEST", "message": "It was denied by key:2 already."}}""");

        Terminal.Result result = terminal.run("approvals", "approve", "q1");

        assertThat(result.code()).isNotZero();
        assertThat(result.err()).contains("denied by key:2");
    }

    @Test
    void standing_approvals_are_listed_and_revoked() {
        server.on("GET /api/v1/approvals/standing?limit=100", 200, "[]");
        server.on("DELETE /api/v1/approvals/standing/s1", 204, "");

        assertThat(terminal.run("approvals", "standing").out()).contains("There are no standing approvals.");
        assertThat(terminal.run("approvals", "standing", "--revoke", "s1").out())
                .contains("s1 revoked");
    }

    @Test
    void watching_prints_open_requests_and_then_each_event_once() {
        server.on("GET /api/v1/approvals?state=pending&limit=100", 200, "[" + QUESTION + "]");
        server.on(
                "GET /api/v1/approvals/stream",
                200,
                "event: opened\ndata: " + line(QUESTION) + "\n\nevent: answered\ndata: "
                        + line(QUESTION).replace("pending", "approved") + "\n\n");

        Terminal.Result result = terminal.run("approvals", "watch");

        assertThat(result.out().lines().toList())
                .hasSize(2)
                .satisfiesExactly(first -> assertThat(first).contains("q1", "pending"), second -> assertThat(second)
                        .contains("q1", "approved"));
        assertThat(result.err()).contains("ended the stream");
    }

    @Test
    void the_trust_level_of_an_agent_is_set() {
        server.on("PATCH /api/v1/agents/writer", 200, "{}");

        assertThat(terminal.run("agents", "trust", "writer", "supervised").out())
                .contains("writer is supervised now");
        assertThat(sent()).isEqualTo(Json.MAPPER.readTree("{\"trust_level\": \"supervised\"}"));
    }

    private static String line(String json) {
        return Json.MAPPER.readTree(json).toString();
    }

    private JsonNode sent() {
        String asked = server.asked().getLast();
        return Json.MAPPER.readTree(asked.substring(asked.indexOf('{')));
    }
}
