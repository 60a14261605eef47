package dev.toolgate.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CommandsTest {
    private static final String BULK = "POST /api/v1/permissions/bulk";

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

    private JsonNode sent() {
        String asked = server.asked().getLast();
        return Json.MAPPER.readTree(asked.substring(asked.indexOf('{')));
    }

    @Test
    void a_grant_of_several_tools_is_one_request_with_its_terms() {
        server.on(BULK, 200, "{\"changed\":2}");

        Terminal.Result result = terminal.run(
                "grant",
                "writer",
                "file_read",
                "mcp/search",
                "--if",
                "true",
                "--for",
                "8h",
                "--uses",
                "3",
                "--approval",
                "--notes",
                "n",
                "--reason",
                "r");

        assertThat(result.out().strip()).isEqualTo("Granted to writer: file_read, mcp/search.");
        assertThat(sent().path("reason").asString()).isEqualTo("r");
        JsonNode second = sent().path("changes").path(1);
        assertThat(second.path("agent_id").asString()).isEqualTo("writer");
        assertThat(second.path("tool_name").asString()).isEqualTo("mcp/search");
        assertThat(second.path("allowed").asBoolean()).isTrue();
        assertThat(second.path("condition").asString()).isEqualTo("true");
        assertThat(second.path("max_uses").asInt()).isEqualTo(3);
        assertThat(second.path("requires_approval").asBoolean()).isTrue();
        assertThat(second.path("notes").asString()).isEqualTo("n");
        assertThat(Instant.parse(second.path("expires_at").asString()))
                .isBetween(
                        Instant.now().plus(Duration.ofHours(7)), Instant.now().plus(Duration.ofHours(9)));
    }

    @Test
    void revoke_clears_permissions_and_deny_refuses_them() {
        server.on(BULK, 200, "{\"changed\":1}");

        terminal.run("revoke", "writer", "bash");
        assertThat(sent().path("changes").path(0))
                .isEqualTo(Json.MAPPER.readTree("{\"agent_id\":\"writer\",\"tool_name\":\"bash\",\"clear\":true}"));

        terminal.run("revoke", "writer", "bash", "--deny");
        assertThat(sent().path("changes").path(0))
                .isEqualTo(Json.MAPPER.readTree("{\"agent_id\":\"writer\",\"tool_name\":\"bash\",\"allowed\":false}"));
    }

    @Test
    void a_grant_to_a_group_names_the_group() {
        server.on(BULK, 200, "{\"changed\":1}");

        assertThat(terminal.run("groups", "grant", "writers", "bash").code()).isZero();
        assertThat(sent().path("changes").path(0).path("group_id").asString()).isEqualTo("writers");
    }

    @Test
    void a_warning_of_the_server_is_printed_after_the_result() {
        server.on(BULK, 200, "{\"changed\":1,\"warnings\":[\"There is no tool 'raed'; the nearest name is 'read'.\"]}");

        var result = terminal.run("grant", "writer", "raed");

        assertThat(result.code()).isZero();
        assertThat(result.out().strip()).isEqualTo("Granted to writer: raed.");
        assertThat(result.err().strip())
                .isEqualTo("toolgate: warning: There is no tool 'raed'; the nearest name is 'read'.");
    }

    @Test
    void adding_an_existing_agent_is_not_an_error() {
        server.on("POST /api/v1/agents", 409, error("INVALID_REQUEST", "There is an agent 'writer' already."));
        server.on("GET /api/v1/agents/writer", 200, "{\"agent_id\":\"writer\"}");

        var result = terminal.run("agents", "add", "writer");

        assertThat(result.code()).isZero();
        assertThat(result.out().strip()).isEqualTo("Agent writer exists already; nothing was changed.");
    }

    @Test
    void adding_an_agent_with_an_unknown_template_is_an_error() {
        server.on("POST /api/v1/agents", 409, error("INVALID_REQUEST", "There is no such template."));
        server.on("GET /api/v1/agents/writer", 404, error("INVALID_REQUEST", "There is no agent 'writer'."));

        var result = terminal.run("agents", "add", "writer", "--template", "none");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("There is no such template.");
    }

    @Test
    void remediations_name_commands_and_options() {
        for (ErrorCode code : ErrorCode.values()) {
            server.on("GET /api/v1/agents/x", code.httpStatus(), error(code.name(), "It did not work."));

            var result = terminal.run("agents", "show", "x");

            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err())
                    .startsWith("toolgate: It did not work. ")
                    .doesNotContain("field", "header", "send the call");
        }
    }

    private static String error(String code, String message) {
        return """
                {"error": {"code": "%s", "message": "%s", "remediation": "%s", "retryable": false}}""".formatted(code, message, ErrorCode.valueOf(code).remediation());
    }

    @Test
    void a_name_with_a_slash_or_space_is_one_path_segment() {
        server.on("DELETE /api/v1/agents/a%2Fb%20c?reason=no%20more%26", 204, "");

        assertThat(terminal.run("agents", "remove", "a/b c", "--reason", "no more&")
                        .code())
                .isZero();
    }

    @Test
    void a_new_key_alone_is_on_standard_output() {
        server.on("POST /api/v1/keys", 201, "{\"key\":\"tg_new\",\"key_id\":\"1234\"}");

        Terminal.Result result = terminal.run("key", "create", "--role", "agent", "--agent", "writer", "--for", "90d");

        assertThat(result.out()).isEqualTo("tg_new" + System.lineSeparator());
        assertThat(result.err()).contains("toolgate key revoke 1234").doesNotContain("tg_new");
        assertThat(sent().path("agent_id").asString()).isEqualTo("writer");
    }

    @Test
    void health_is_an_exit_code() {
        server.on(
                "GET /health",
                200,
                "{\"status\":\"degraded\",\"checks\":{\"sandbox\":{\"status\":\"degraded\",\"detail\":\"d\"}}}");
        assertThat(terminal.run("health").code()).isZero();
        assertThat(terminal.run("health").out()).contains("sandbox").contains("degraded");
        assertThat(server.credentials()).containsOnly("null");

        server.on("GET /health", 503, "{\"status\":\"down\",\"checks\":{}}");
        assertThat(terminal.run("health").code()).isEqualTo(1);
    }

    @Test
    void effective_permissions_are_shown_with_source_and_terms() {
        server.on("GET /api/v1/agents/writer/permissions", 200, """
                {"agent_id":"writer","permissions":[{"tool_name":"bash","allowed":true,"state":"allowed","sources":[
                {"source":"group","group_id":"devs","tool_name":"bash","requires_approval":true,"max_uses":5,"uses":2}]}]}""");

        assertThat(terminal.run("permissions", "show", "writer").out().lines())
                .containsExactly(
                        "TOOL  STATE    FROM        TERMS",
                        "bash  allowed  group devs  each call approved, 2 uses of 5");
    }

    @Test
    void filters_of_the_audit_log_reach_the_server() {
        server.on(
                "GET /api/v1/audit/logs?start_date=2026-01-31T00%3A00%3A00Z&agent_id=a&tool_name=bash&allowed=false&q=rm&limit=5",
                200, "[]");

        assertThat(terminal.run(
                                "audit",
                                "list",
                                "--agent",
                                "a",
                                "--tool",
                                "bash",
                                "--denied",
                                "--text",
                                "rm",
                                "--since",
                                "2026-01-31T00:00:00Z",
                                "-n",
                                "5")
                        .out()
                        .strip())
                .isEqualTo("There are no matching records.");
    }

    @Test
    void following_prints_earlier_records_oldest_first_and_none_twice() {
        server.on("GET /api/v1/audit/stream", 200, """
                :

                id: 1
                event: record
                data: {"id":2,"agent_id":"second","allowed":true}

                event: record
                data: {"id":3,"agent_id":"third","allowed":true}

                event: cut
                data: too slow

                """);
        server.on(
                "GET /api/v1/audit/logs?limit=100",
                200,
                "[{\"id\":2,\"agent_id\":\"second\"},{\"id\":1,\"agent_id\":\"first\"}]");

        Terminal.Result result = terminal.run("audit", "list", "--follow", "--json");

        assertThat(result.out()
                        .lines()
                        .map(line -> Json.MAPPER.readTree(line).path("agent_id").asString()))
                .containsExactly("first", "second", "third");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("the server has ended the stream: too slow");
    }

    @Test
    void an_export_file_is_created_only_when_complete() throws IOException {
        server.on("GET /api/v1/audit/export?format=csv&agent_id=a", 200, "id,request_id\r\n1,x\r\n");
        Path file = folder.resolve("audit.csv");

        assertThat(terminal.run("audit", "export", "--format", "csv", "--agent", "a", "-o", file.toString())
                        .code())
                .isZero();
        assertThat(file).hasContent("id,request_id\r\n1,x\r\n");

        assertThat(terminal.run("audit", "export", "-o", folder.resolve("none").toString())
                        .code())
                .isEqualTo(1);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("audit.csv", "key");
    }

    @Test
    void rebuilding_a_rollup_prints_the_number_of_records() {
        server.on("POST /api/v1/audit/rollup", 200, "{\"records\":9}");
        Terminal.Result result = terminal.run("audit", "rollup");

        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("9 records counted.");
    }

    @Test
    void a_change_is_previewed_and_undone_from_its_record() {
        server.on("GET /api/v1/audit/logs/7/undo", 200, """
                {"record_id": 7, "undoable": true, "reason": null, "tool_name": "file_write", "decision": "allowed",
                 "differences": {"undo": "@@ -1,1 +1,1 @@\\n-two\\n+one\\n", "change": "", "since": ""}}""");
        server.on("POST /api/v1/audit/logs/7/undo", 200, "{\"result\": {\"data\": \"Restored 3 bytes of a.txt\"}}");

        Terminal.Result preview = terminal.run("audit", "undo", "7", "--dry-run");
        assertThat(preview.code()).isZero();
        assertThat(preview.out()).contains("It can be undone with file_write (allowed).", "-two", "+one");
        Terminal.Result done = terminal.run("audit", "undo", "7", "--reason", "a mistake");
        assertThat(done.code()).isZero();
        assertThat(done.out()).contains("Restored 3 bytes of a.txt.");

        server.on("GET /api/v1/audit/logs/8/undo", 200, """
                {"record_id": 8, "undoable": false, "reason": "'a.txt' was changed after the call, so nothing was undone.",
                 "differences": {"undo": "", "change": "+two", "since": "+three"}}""");
        Terminal.Result refused = terminal.run("audit", "undo", "8", "--dry-run");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains("was changed after the call", "+two", "+three");
    }

    @Test
    void a_changed_log_exits_with_1_and_lists_every_fault() {
        server.on("GET /api/v1/audit/verify", 200, "{\"records\":9,\"intact\":true,\"faults\":[]}");
        assertThat(terminal.run("audit", "verify").code()).isZero();

        server.on(
                "GET /api/v1/audit/verify",
                200,
                "{\"records\":9,\"intact\":false,\"faults\":[{\"kind\":\"removed\",\"instance_id\":\"i\",\"sequence\":4}]}");
        Terminal.Result result = terminal.run("audit", "verify");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out())
                .contains("the log was CHANGED")
                .contains("removed at or before record 4 of instance i");
    }
}
