package dev.toolgate.server.chat;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The role user: people who chat as the agents of their key, and their attempts to go beyond it. */
class UserRoleTest {
    private static final AgentId WRITER = new AgentId("writer");

    @TempDir
    private Path home;

    private ChatTrial trial;
    private String ada;
    private String eve;

    @BeforeEach
    void start() throws Exception {
        trial = ChatTrial.start(home, Map.of());
        trial.agent("writer", "guided", "file_write");
        trial.agent("other", "guided", "file_write");
        ada = trial.server.userKey(FIRST, WRITER);
        eve = trial.server.userKey(FIRST, WRITER);
        trial.says(calls(call("c1", "file_write", "path", "note.txt", "content", "tea")), words("Written."));
    }

    @AfterEach
    void stop() throws Exception {
        trial.close();
    }

    @Test
    void a_user_chats_as_a_named_agent_and_answers_its_approval_request() {
        try (ChatClient person = ChatClient.connect(trial.server.url(), ada)) {
            ChatEnvelope status = person.await("connection:status");
            assertThat(status.payload().path("may_approve").asBoolean()).isTrue();
            assertThat(status.payload().path("agents").toString()).isEqualTo("[\"writer\"]");
            person.say(message("talk", "Write it down"));
            ChatEnvelope question = person.await("chat:tool-confirm");
            assertThat(file()).doesNotExist();

            person.approve(question.text("toolId"));

            assertThat(person.awaitEnd("talk").type()).isEqualTo("chat:stream-end");
            assertThat(file()).hasContent("tea");
            String name = client(ada).get("/api/v1/whoami").json().path("name").asString();
            assertThat(trial.lastRecord("file_write").path("approved_by").asString())
                    .isEqualTo(name);
            assertThat(trial.lastRecord("file_write").path("agent_id").asString())
                    .isEqualTo("writer");
        }
    }

    @Test
    void only_the_user_of_the_conversation_can_answer_over_http() {
        try (ChatClient person = ChatClient.connect(trial.server.url(), ada)) {
            person.say(message("talk", "Write it down"));
            String question =
                    "/api/v1/approvals/" + person.await("chat:tool-confirm").text("approvalId");

            assertThat(client(eve).get(question).status()).isEqualTo(404);
            assertThat(client(eve).post(question, "{\"approved\": true}").status())
                    .isEqualTo(404);
            assertThat(client(eve).get("/api/v1/approvals").text()).isEqualTo("[]");
            assertThat(client(eve).get("/api/v1/approvals?agent_id=writer").text())
                    .isEqualTo("[]");
            assertThat(trial.server
                            .withKey(trial.key(FIRST, WRITER))
                            .post(question, "{\"approved\": true}")
                            .status())
                    .as("an agent never approves")
                    .isEqualTo(403);
            assertThat(file()).doesNotExist();
            assertThat(client(ada).get("/api/v1/approvals").each("agent_id")).containsExactly("writer");
            Reply wide = client(ada).post(question, "{\"approved\": true, \"scope\": \"agent\"}");
            assertThat(wide.status()).isEqualTo(403);
            assertThat(wide.message()).contains("one call at a time");
            assertThat(file()).doesNotExist();

            assertThat(client(ada).post(question, "{\"approved\": true}").status())
                    .isEqualTo(200);
            assertThat(person.awaitEnd("talk").type()).isEqualTo("chat:stream-end");
            assertThat(file()).hasContent("tea");
        }
    }

    @Test
    void a_user_cannot_answer_for_a_call_of_the_agent_itself() {
        trial.server
                .admin()
                .put("/api/v1/permissions/writer/file_write", "{\"allowed\": true, \"requires_approval\": true}");
        Reply held = trial.server
                .withKey(trial.key(FIRST, WRITER))
                .with("Prefer", "respond-async")
                .post("/api/v1/tools/execute", execute("writer"));
        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        String question = trial.server
                .admin()
                .get("/api/v1/approvals?state=pending")
                .each("approval_id")
                .getFirst();

        assertThat(client(ada).get("/api/v1/approvals").text()).isEqualTo("[]");
        assertThat(client(ada)
                        .post("/api/v1/approvals/" + question, "{\"approved\": true}")
                        .status())
                .isEqualTo(404);
        assertThat(file()).doesNotExist();
    }

    @Test
    void a_user_cannot_use_other_agents_or_doors() {
        try (ChatClient person = ChatClient.connect(trial.server.url(), ada)) {
            person.say(message("talk", "Write it down").with("agent_id", "other"));
            ChatEnvelope refused = person.await("chat:error");
            assertThat(refused.text("code")).isEqualTo("PERMISSION_DENIED");
        }
        Client person = client(ada);
        assertThat(person.post("/api/v1/tools/execute", execute("writer")).status())
                .isEqualTo(403);
        for (String path : List.of("/api/v1/keys", "/api/v1/agents", "/api/v1/audit/logs", "/api/v1/tenants")) {
            assertThat(person.get(path).status()).as(path).isEqualTo(403);
        }
        assertThat(person.get("/api/v1/tools/permissions/other").status()).isEqualTo(403);
        assertThat(person.get("/api/v1/tools").each("name")).containsExactly("file_write");
        assertThat(file()).doesNotExist();
    }

    @Test
    void keys_of_a_deleted_agent_stay_invalid_if_it_is_created_again() {
        assertThat(trial.server.admin().delete("/api/v1/agents/writer").status())
                .isEqualTo(204);
        trial.agent("writer", "autonomous", "file_write");

        await().until(() ->
                client(ada).get("/api/v1/whoami").json().path("agents").isEmpty());
        try (ChatClient person = ChatClient.connect(trial.server.url(), ada)) {
            person.say(message("talk", "Write it down").with("agent_id", "writer"));
            assertThat(person.await("chat:error").text("code")).isEqualTo("PERMISSION_DENIED");
        }
        assertThat(file()).doesNotExist();
    }

    @Test
    void a_user_sees_only_sessions_of_the_agents_of_the_key() {
        for (String agent : List.of("writer", "other")) {
            Reply made = trial.server.as(RunningServer.FIRST, Role.ORCHESTRATOR).post("/api/v1/sessions", """
                    {"agent_id": "%s", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                     "tenantId": "default", "userId": "ada", "sessionId": "of %s", "expiresAt": "2099-01-01T00:00:00Z",
                     "capabilities": []}}""".formatted(
                            agent, agent));
            assertThat(made.status()).as(made.toString()).isEqualTo(201);
        }

        assertThat(client(ada).get("/api/v1/sessions").text())
                .contains("of writer")
                .doesNotContain("of other");
        assertThat(client(ada).get("/api/v1/sessions/of%20other").status()).isEqualTo(404);
        assertThat(client(ada).delete("/api/v1/sessions/of%20writer").status()).isEqualTo(403);
    }

    @Test
    void a_user_reads_artifacts_of_own_conversations_and_of_no_others() {
        try (ChatClient person = ChatClient.connect(trial.server.url(), ada)) {
            person.say(message("talk", "Write it down"));
            person.approve(person.await("chat:tool-confirm").text("toolId"));
            assertThat(person.awaitEnd("talk").type()).isEqualTo("chat:stream-end");
        }
        trial.server.admin().put("/api/v1/permissions/writer/file_write", "{\"allowed\": true}");
        trial.server.admin().patch("/api/v1/agents/writer", "{\"trust_level\": \"autonomous\"}");
        Reply byItself = trial.server
                .withKey(trial.key(FIRST, WRITER))
                .post("/api/v1/tools/execute", execute("writer").replace("note.txt", "other.txt"));
        assertThat(byItself.status()).as(byItself.toString()).isEqualTo(200);
        String all = "/workspaces/default/artifacts";

        List<String> ofAda = client(ada).get(all).each("uri");
        List<String> everything = trial.server.admin().get(all).each("uri");
        assertThat(ofAda).isNotEmpty();
        assertThat(everything).containsAll(ofAda).hasSizeGreaterThan(ofAda.size());
        assertThat(client(ada).get("/" + ofAda.getFirst()).status()).isEqualTo(200);
        for (String uri : everything) {
            assertThat(client(eve).get("/" + uri).status()).as(uri).isEqualTo(404);
            if (!ofAda.contains(uri)) {
                assertThat(client(ada).get("/" + uri).status()).as(uri).isEqualTo(404);
            }
        }
        assertThat(client(eve).get(all).text()).isEqualTo("[]");
        assertThat(client(eve).get(all + "?session_id=made_up").status()).isEqualTo(404);
        assertThat(client(ada).delete("/" + ofAda.getFirst()).status()).isEqualTo(403);
        assertThat(client(ada).post(all + "?name=x", "x").status()).isEqualTo(403);
    }

    private Client client(String key) {
        return trial.server.withKey(key);
    }

    private static String execute(String agent) {
        return """
                {"request_id": "r1", "agent_id": "%s", "tool_name": "file_write", "operation": "write",
                 "parameters": {"path": "note.txt", "content": "stolen"}}""".formatted(agent);
    }

    private Path file() {
        return home.resolve("workspace").resolve("note.txt");
    }
}
