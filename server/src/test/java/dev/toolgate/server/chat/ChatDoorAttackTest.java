package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.identity.Role;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Those who try to get more out of a conversation than they may, and what becomes of it. */
class ChatDoorAttackTest {
    @TempDir
    static Path home;

    private static ChatTrial trial;
    private static AgentId victim;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(
                home, Map.of("approvals.patience", "20s", "dialect.chat.allowed_origins", "http://known.example"));
        victim = trial.agent("victim", "guided", "file_write", "file_read", "bash");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    private static int refusal(Map<String, String> headers) {
        try (ChatClient opened = ChatClient.connect(trial.server.url(), headers)) {
            opened.await("connection:status");
            return 101;
        } catch (ChatClient.Refused refused) {
            return refused.status();
        }
    }

    @Test
    void nobody_comes_in_without_a_key() {
        assertThat(refusal(Map.of())).isEqualTo(401);
        assertThat(refusal(Map.of("Authorization", "Bearer tg_wrongwrongwrongwrongwrong")))
                .isEqualTo(401);
    }

    @Test
    void a_foreign_page_opens_no_socket_even_with_a_key() {
        String key = "Bearer " + trial.key(RunningServer.FIRST, victim);
        String own = trial.server.url();
        assertThat(refusal(Map.of("Authorization", key, "Origin", "http://evil.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Authorization", key, "Origin", "null"))).isEqualTo(403);
        assertThat(refusal(Map.of("Authorization", key, "Origin", own + ".evil.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Authorization", key, "Origin", "http://known.example")))
                .isEqualTo(101);
        assertThat(refusal(Map.of("Authorization", key, "Origin", own))).isEqualTo(101);
    }

    @Test
    void a_console_session_opens_sockets_from_the_console_alone() {
        String key = trial.server.key(RunningServer.FIRST, Role.ADMIN, null);
        Reply session = trial.server.anonymous().post("/api/v1/console/session", "{\"key\": \"" + key + "\"}");
        String cookie = session.header("Set-Cookie").orElseThrow().split(";", 2)[0];
        String own = trial.server.url();
        assertThat(refusal(Map.of("Cookie", cookie, "Origin", own))).isEqualTo(101);
        assertThat(refusal(Map.of("Cookie", cookie, "Origin", "http://known.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Cookie", cookie, "Origin", "http://evil.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Cookie", cookie))).isEqualTo(403);
    }

    @Test
    void an_agent_cannot_approve_what_it_asked_for() {
        trial.says(calls(call("own", "file_write", "path", "own.txt", "content", "x")), words("Hm."));
        try (ChatClient agent = trial.as(victim)) {
            agent.say(message("self", "Write"));
            ChatEnvelope asked = agent.await("chat:tool-confirm");
            agent.approve("own");
            assertThat(agent.await("chat:error").text("code")).isEqualTo("PERMISSION_DENIED");
            assertThat(home.resolve("workspace/own.txt")).doesNotExist();

            assertThat(trial.server
                            .as(RunningServer.FIRST, Role.OPERATOR)
                            .post("/api/v1/approvals/" + asked.text("approvalId"), "{\"approved\": true}")
                            .status())
                    .isEqualTo(200);
            agent.awaitEnd("self");
            assertThat(home.resolve("workspace/own.txt")).hasContent("x");
        }
    }

    @Test
    void nobody_answers_for_a_conversation_of_another_connection() {
        trial.says(calls(call("mine", "file_write", "path", "mine.txt", "content", "x")), words("Hm."));
        try (ChatClient agent = trial.as(victim);
                ChatClient other = ChatClient.connect(
                        trial.server.url(), trial.server.key(RunningServer.ACME, Role.ADMIN, null))) {
            agent.say(message("mine", "Write"));
            agent.await("chat:tool-confirm");
            other.approve("mine");
            assertThat(other.await("chat:error").text("message")).contains("No question is open");
            agent.cancel("mine");
            agent.awaitEnd("mine");
        }
        assertThat(home.resolve("workspace/mine.txt")).doesNotExist();
    }

    @Test
    void cancelling_withdraws_the_question_so_that_a_late_yes_does_nothing() {
        trial.says(calls(call("late", "file_write", "path", "late.txt", "content", "x")), words("Hm."));
        try (ChatClient agent = trial.as(victim)) {
            agent.say(message("late", "Write"));
            String approval = agent.await("chat:tool-confirm").text("approvalId");
            agent.cancel("late");
            agent.awaitEnd("late");
            await().untilAsserted(() -> assertThat(trial.server
                            .admin()
                            .get("/api/v1/approvals/" + approval)
                            .json()
                            .path("state")
                            .asString())
                    .isEqualTo("withdrawn"));
            assertThat(trial.server
                            .admin()
                            .post("/api/v1/approvals/" + approval, "{\"approved\": true}")
                            .status())
                    .isEqualTo(409);
        }
        assertThat(home.resolve("workspace/late.txt")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"agent_id, somebody_else", "agent_id, acme_agent"})
    void an_agent_speaks_for_no_other(String field, String value) {
        try (ChatClient agent = trial.as(victim)) {
            agent.say(message("other", "Hello").with(field, value));
            assertThat(agent.await("chat:error").text("code")).isEqualTo("PERMISSION_DENIED");
        }
    }

    @Test
    void what_belongs_to_another_tenant_is_not_there() {
        trial.server.as(RunningServer.ACME, Role.ADMIN).post("/api/v1/agents", "{\"agent_id\": \"acme_agent\"}");
        trial.server.as(RunningServer.ACME, Role.ADMIN).post("/api/v1/sessions", """
                {"agent_id": "acme_agent", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                 "tenantId": "acme", "userId": "u", "sessionId": "acme-session", "expiresAt": "2099-01-01T00:00:00Z",
                 "capabilities": []}}""");
        try (ChatClient admin = trial.as(Role.ADMIN)) {
            admin.say(message("cross", "Hello").with("agent_id", "acme_agent"));
            String theirs = admin.await("chat:error").text("message");
            admin.say(message("cross", "Hello").with("agent_id", "nobody_agent"));
            assertThat(admin.await("chat:error").text("message").replace("nobody_agent", "acme_agent"))
                    .isEqualTo(theirs);
            admin.say(message("cross", "Hello").with("agent_id", "victim").with("session_id", "acme-session"));
            String session = admin.await("chat:error").text("message");
            admin.say(message("cross", "Hello").with("agent_id", "victim").with("session_id", "no-session"));
            assertThat(admin.await("chat:error").text("message").replace("no-session", "acme-session"))
                    .isEqualTo(session);
        }
    }

    @Test
    void a_revoked_key_ends_the_connection_and_what_runs_in_it() {
        AgentId fired = trial.agent("fired", "autonomous", "bash");
        String made = trial.server
                .admin()
                .post("/api/v1/keys", "{\"role\": \"agent\", \"agent_id\": \"fired\", \"name\": \"k\"}")
                .text();
        var key = dev.toolgate.core.schema.Json.MAPPER.readTree(made);
        trial.beginsToSay("Working");
        ChatClient client =
                ChatClient.connect(trial.server.url(), key.path("key").asString());
        client.say(message("running", "Work"));
        client.await("chat:text-delta");
        int cut = trial.model.closedByClient();
        assertThat(trial.server
                        .admin()
                        .delete("/api/v1/keys/" + key.path("key_id").asString())
                        .status())
                .isEqualTo(204);
        client.say(message("more", "And this"));
        assertThat(client.await("chat:error").text("code")).isEqualTo("UNAUTHORIZED");
        assertThat(client.awaitClose().code()).isEqualTo(1008);
        await().until(() -> trial.model.closedByClient() > cut);
        assertThat(fired.value()).isEqualTo("fired");
    }

    @Test
    void a_client_that_is_gone_takes_model_and_tools_with_it() {
        AgentId gone = trial.agent("gone", "autonomous", "bash");
        trial.says(calls(call("sleep", "bash", "command", "touch began; sleep 30; touch finished")), words("x"));
        ChatClient client = trial.as(gone);
        client.say(message("gone", "Sleep"));
        await().until(() -> home.resolve("workspace/began").toFile().exists());
        client.vanish();
        await().untilAsserted(() ->
                assertThat(trial.lastRecord("bash").path("agent_id").asString()).isEqualTo("gone"));
        assertThat(home.resolve("workspace/finished")).doesNotExist();
    }

    @Test
    void a_client_that_reads_nothing_is_closed_and_the_answer_stopped() throws Exception {
        trial.model.does(talk -> {
            talk.begin();
            String piece = "x".repeat(8_000);
            while (true) {
                talk.send(words(piece).frames().subList(1, 2));
            }
        });
        int cut = trial.model.closedByClient();
        try (DeafClient deaf = new DeafClient(URI.create(trial.server.url()), trial.key(RunningServer.FIRST, victim))) {
            deaf.send(message("deaf", "Talk").payload());
            await().until(() -> trial.model.closedByClient() > cut);
            assertThat(deaf.readsToTheEnd()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "[]",
                "{}",
                "{\"type\": \"chat:nothing\", \"payload\": {}}",
                "{\"type\": \"chat:send\", \"payload\": {}}",
                "{\"type\": \"chat:send\", \"payload\": {\"conversation_id\": \"c\", \"content\": \"x\", \"provider\": \"nobody\", \"model\": \"m\"}}",
                "{\"type\": \"chat:send\", \"payload\": {\"conversation_id\": \"c\", \"content\": \"x\", \"provider\": \"ollama\", \"model\": \"m\", \"trust_level\": \"total\"}}",
                "{\"type\": \"chat:send\", \"payload\": {\"conversation_id\": \"c\", \"content\": \"x\", \"provider\": \"ollama\", \"model\": \"m\", \"surprise\": 1}}",
                "{\"type\": \"chat:send\", \"payload\": {\"conversation_id\": \"c\", \"content\": \"x\", \"provider\": \"ollama\", \"model\": \"m\", \"history\": [{\"role\": \"king\"}]}}",
                "{\"type\": \"chat:tool-approve\", \"payload\": {\"toolId\": \"x\"}}",
                "{\"type\": \"chat:cancel\", \"payload\": {\"conversation_id\": 5}}"
            })
    void nonsense_is_answered_and_the_connection_goes_on(String text) {
        trial.says(words("Still here."));
        try (ChatClient client = trial.as(victim)) {
            client.sendText(text);
            ChatEnvelope error = client.await("chat:error");
            assertThat(error.text("code")).isIn("INVALID_REQUEST", "PERMISSION_DENIED");
            assertThat(error.payload().path("message_id").isNull()).isTrue();
            client.say(message("after", "Hello"));
            assertThat(client.awaitEnd("after").type()).isEqualTo("chat:stream-end");
        }
    }

    @Test
    void what_is_no_text_or_too_long_ends_the_connection() {
        try (ChatClient client = trial.as(victim)) {
            client.sendBinary(new byte[] {1, 2, 3});
            assertThat(client.awaitClose().code()).isEqualTo(1003);
        }
        try (ChatClient client = trial.as(victim)) {
            assertThatThrownBy(() -> {
                        client.sendText("x".repeat((4 << 20) + 1));
                        throw new IllegalStateException(
                                "closed with " + client.awaitClose().code());
                    })
                    .satisfiesAnyOf(
                            closed -> assertThat(closed).hasMessageContaining("closed with 1009"),
                            broken -> assertThat(broken).isNotInstanceOf(IllegalStateException.class));
        }
    }

    @Test
    void a_key_of_ones_own_is_kept_nowhere() {
        trial.says(calls(call("k", "file_read", "path", "a.txt")), words("Done."));
        try (ChatClient client = trial.as(victim)) {
            client.say(message("byok", "Read"));
            client.awaitEnd("byok");
            assertThat(trial.model.request().headers().get("authorization")).isEqualTo("Bearer sk-own-key-of-tests");
            assertThat(client.events().toString()).doesNotContain("sk-own-key-of-tests");
        }
        assertThat(trial.server.rowsOf(RunningServer.FIRST).toString()).doesNotContain("sk-own-key-of-tests");
    }
}
