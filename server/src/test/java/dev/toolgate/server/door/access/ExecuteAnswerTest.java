package dev.toolgate.server.door.access;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Responses to failed and denied calls: reasons and suggestions. */
class ExecuteAnswerTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        agent = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("reader")));
        set("reader", "file_read", "{\"allowed\": true}");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc/passwd", "/etc/passwd", ".env", ".git/config"})
    void a_granted_call_with_a_refused_path_suggests_no_grant(String path) {
        Reply reply = execute("reader", "file_read", "{\"path\": \"" + path + "\"}");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        JsonNode body = reply.json();
        assertThat(body.path("status").asString()).isEqualTo("allowed");
        assertThat(body.path("outcome").asString()).isEqualTo("failed");
        assertThat(body.at("/result/success").asBoolean()).isFalse();
        assertThat(body.at("/result/data").asString())
                .isEqualTo(body.at("/result/error/message").asString());
        assertThat(body.at("/result/error/code").asString()).isEqualTo("PERMISSION_DENIED");
        assertThat(body.at("/result/error/remediation").asString())
                .contains("the tool itself is allowed")
                .doesNotContain("ask an operator");
        assertThat(body.path("logged").asBoolean()).isTrue();
    }

    @Test
    void invalid_arguments_are_a_failure_of_an_allowed_call() {
        Reply reply = execute("reader", "file_read", "{\"pth\": \"a\"}");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(reply.json().path("outcome").asString()).isEqualTo("failed");
        assertThat(reply.json().at("/result/error/code").asString()).isEqualTo("INVALID_REQUEST");
    }

    @Test
    void a_denial_by_condition_expiry_uses_or_group_suggests_what_helps() {
        set("reader", "file_list", "{\"allowed\": true, \"condition\": \"params.path == 'public'\"}");
        assertThat(suggestion("file_list", "{\"path\": \"private\"}"))
                .contains("condition that this call does not meet")
                .doesNotContain("to grant");

        set("reader", "file_write", "{\"allowed\": true, \"expires_at\": \"2099-01-01T00:00:00Z\"}");
        server.database()
                .jdbi()
                .useHandle(handle -> handle.execute("UPDATE agent_tool_permissions SET expires_at = now()"
                        + " - interval '1 day' WHERE agent_id = 'reader' AND tool_name = 'file_write'"));
        set("reader", "bash", "{\"allowed\": false}"); // makes the server reload the permissions
        assertThat(suggestion("file_write", "{\"path\": \"a\", \"content\": \"b\"}"))
                .contains("has expired", "renew")
                .doesNotContain("to grant");
        assertThat(suggestion("bash", "{\"command\": \"ls\"}"))
                .contains("has refused 'bash' to agent 'reader'")
                .doesNotContain("to grant");

        set("reader", "file_delete", "{\"allowed\": true, \"max_uses\": 1}");
        assertThat(execute("reader", "file_delete", "{\"path\": \"nothing\"}").status())
                .isEqualTo(200);
        assertThat(suggestion("file_delete", "{\"path\": \"nothing\"}"))
                .contains("is used up", "more uses")
                .doesNotContain("to grant");

        server.admin().post("/api/v1/groups", "{\"group_id\": \"juniors\"}");
        server.admin().put("/api/v1/groups/juniors/members/reader");
        server.admin().put("/api/v1/groups/juniors/permissions/http_request", "{\"allowed\": false}");
        set("reader", "http_request", "{\"allowed\": true}");
        assertThat(suggestion("http_request", "{\"url\": \"http://example.com\"}"))
                .contains("Group 'juniors' refuses 'http_request'")
                .doesNotContain("to grant");

        assertThat(suggestion("web_search", "{\"query\": \"x\"}"))
                .contains("ask an operator to grant 'web_search' to agent 'reader'");
    }

    @Test
    void granting_an_unknown_tool_warns_with_the_nearest_name() {
        Reply one = server.admin().put("/api/v1/permissions/reader/file_raed", "{\"allowed\": true}");
        Reply right = server.admin().put("/api/v1/permissions/reader/ReadFile", "{\"allowed\": true}");
        Reply refusal = server.admin().put("/api/v1/permissions/reader/file_lsit", "{\"allowed\": false}");
        Reply many = server.admin().post("/api/v1/permissions/bulk", """
                {"changes": [{"agent_id": "reader", "tool_name": "web_serach", "allowed": true},
                             {"agent_id": "reader", "tool_name": "artifacts", "allowed": true},
                             {"agent_id": "reader", "tool_name": "wbe_search", "clear": true}]}""");

        assertThat(one.status()).as(one.toString()).isEqualTo(200);
        assertThat(one.json().path("warning").asString()).contains("'file_raed'", "'file_read'");
        assertThat(right.json().has("warning")).isFalse();
        assertThat(refusal.json().has("warning")).isFalse();
        assertThat(many.json().path("warnings")).hasSize(1);
        assertThat(many.json().at("/warnings/0").asString()).contains("'web_serach'", "'web_search'");
    }

    private static String suggestion(String tool, String parameters) {
        Reply denied = execute("reader", tool, parameters);
        assertThat(denied.status()).as(denied.toString()).isEqualTo(403);
        assertThat(denied.json().path("status").asString()).isEqualTo("denied");
        return denied.json().path("suggestion").asString();
    }

    private static Reply execute(String who, String tool, String parameters) {
        return agent.post("/api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "read", "parameters": %s}""".formatted(UUID.randomUUID(), who, tool, parameters));
    }

    private static void set(String who, String tool, String terms) {
        Reply set = server.admin().put("/api/v1/permissions/" + who + "/" + tool, terms);
        assertThat(set.status()).as(set.toString()).isEqualTo(200);
    }
}
