package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks on conversations. */
class ChatDoorAttackTest {
    private static final String CONFIGURED_KEY = "configured-key-of-the-tenant";

    @TempDir
    static Path home;

    private static ChatTrial trial;
    private static AgentId victim;

    @BeforeAll
    static void start() throws Exception {
        Path key = Files.writeString(home.resolve("openai.key"), CONFIGURED_KEY);
        trial = ChatTrial.start(
                home,
                Map.of(
                        "approvals.timeout",
                        "20s",
                        "secrets",
                        "{\"default\": {\"OPENAI_API_KEY\": \"file:" + key + "\"}}"));
        victim = trial.agent("victim", "guided", "file_write", "file_read", "bash");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    @Test
    void an_agent_cannot_approve_its_own_call() {
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
    void another_connection_cannot_answer_for_a_conversation() {
        trial.says(calls(call("mine", "file_write", "path", "mine.txt", "content", "x")), words("Hm."));
        try (ChatClient agent = trial.as(victim);
                ChatClient other = ChatClient.connect(
                        trial.server.url(), trial.server.key(RunningServer.ACME, Role.ADMIN, null))) {
            agent.say(message("mine", "Write"));
            agent.await("chat:tool-confirm");
            other.approve("mine");
            assertThat(other.await("chat:error").text("message")).contains("There is no open approval request");
            agent.cancel("mine");
            agent.awaitEnd("mine");
        }
        assertThat(home.resolve("workspace/mine.txt")).doesNotExist();
    }

    @Test
    void a_late_approval_does_not_apply_to_a_later_call_with_the_same_id() {
        trial.says(
                calls(call("call_0", "file_write", "path", "first.txt", "content", "1")),
                calls(call("call_0", "file_write", "path", "second.txt", "content", "2")),
                words("Done."));
        try (ChatClient person = trial.as(Role.ADMIN)) {
            person.say(message("twice", "Write").with("agent_id", "victim"));
            ChatEnvelope first = person.await("chat:tool-confirm");
            person.approve("call_0", first.text("approvalId"));
            ChatEnvelope second = person.await("chat:tool-confirm");
            assertThat(second.text("toolId")).isNotEqualTo("call_0");

            person.approve("call_0");
            assertThat(person.await("chat:error").text("message"))
                    .contains("There is no open approval request", "call_0");
            person.approve(second.text("toolId"), first.text("approvalId"));
            assertThat(person.await("chat:error").text("message"))
                    .contains(first.text("approvalId"), "is not open", second.text("toolId"));
            assertThat(person.types().stream().filter("chat:tool-start"::equals))
                    .hasSize(1);
            assertThat(home.resolve("workspace/second.txt")).doesNotExist();

            person.approve(second.text("toolId"), second.text("approvalId"));
            person.awaitEnd("twice");
            assertThat(home.resolve("workspace/first.txt")).hasContent("1");
            assertThat(home.resolve("workspace/second.txt")).hasContent("2");
            assertThat(trial.toolResult(second.text("toolId"))).isNotBlank();
        }
    }

    @Test
    void cancelling_withdraws_the_approval_request() {
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
    @ValueSource(strings = {"somebody_else", "acme_agent"})
    void an_agent_cannot_chat_as_another(String other) {
        try (ChatClient agent = trial.as(victim)) {
            agent.say(message("other", "Hello").with("agent_id", other));
            assertThat(agent.await("chat:error").text("code")).isEqualTo("PERMISSION_DENIED");
        }
    }

    @Test
    void resources_of_another_tenant_are_not_found() {
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
    void a_disconnected_client_cancels_its_model_and_tools() {
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
    void a_client_that_does_not_read_is_disconnected() throws Exception {
        trial.model.does(talk -> {
            talk.begin();
            String piece = "x".repeat(8_000);
            while (true) {
                talk.send(words(piece).frames().subList(1, 2));
            }
        });
        int cut = trial.model.closedByClient();
        try (NonReadingClient deaf =
                new NonReadingClient(URI.create(trial.server.url()), trial.key(RunningServer.FIRST, victim))) {
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
    void invalid_messages_get_errors_and_the_connection_stays_open(String text) {
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
    void streamed_tool_output_cannot_leak_the_key_in_pieces() {
        AgentId leaky = trial.agent("leaky", "autonomous", "bash");
        String command = "printf 'it is configured-key-'; sleep 0.3; printf 'of-the-tenant, and that'; sleep 0.3; echo";
        trial.says(calls(call("leak", "bash", "command", command)), words("Done."));
        try (ChatClient client = trial.as(leaky)) {
            client.say(ChatMessage.of("leak", "openai", "model-of-tests", "Show me"));
            client.awaitEnd("leak");
            assertThat(trial.model.request().headers().get("authorization")).isEqualTo("Bearer " + CONFIGURED_KEY);
            StringBuilder shown = new StringBuilder();
            client.events().stream()
                    .filter(event -> event.type().equals("chat:tool-delta"))
                    .forEach(event -> shown.append(event.text("chunk")));
            assertThat(shown.toString().strip()).isEqualTo("it is [redacted], and that");
            assertThat(client.events().toString()).doesNotContain(CONFIGURED_KEY);
            assertThat(trial.model.request().body()).doesNotContain(CONFIGURED_KEY);
        }
    }

    @Test
    void a_persons_own_key_is_not_stored() {
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
