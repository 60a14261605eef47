package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conversations over a real WebSocket. */
class ChatDoorTest {
    @TempDir
    static Path home;

    private static ChatTrial trial;
    private static AgentId writer;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(home, Map.of());
        writer = trial.agent("writer", "guided", "file_read", "file_write", "bash");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    @Test
    void a_client_gets_its_connection_status() {
        try (ChatClient agent = trial.as(writer);
                ChatClient admin = trial.as(Role.ADMIN)) {
            assertThat(agent.await("connection:status").payload()).isEqualTo(Json.MAPPER.readTree("""
                            {"status": "connected", "role": "agent", "agent_id": "writer", "may_approve": false,
                             "providers": ["claude", "openai", "ollama"], "version": "(not packaged)"}"""));
            assertThat(admin.await("connection:status")
                            .payload()
                            .path("may_approve")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void text_deltas_are_in_order_between_start_and_end() {
        trial.says(words("Good", " morning", "."));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("words", "Hello"));
            ChatEnvelope end = client.awaitEnd("words");

            ChatEnvelope start = client.await("chat:stream-start");
            assertThat(start.text("model")).isEqualTo("model-of-tests");
            StringBuilder text = new StringBuilder();
            int index = 0;
            for (ChatEnvelope event : client.events()) {
                if (event.type().equals("chat:text-delta")) {
                    assertThat(event.payload().path("index").asInt()).isEqualTo(index++);
                    assertThat(event.text("message_id")).isEqualTo(start.text("message_id"));
                    text.append(event.text("content"));
                }
            }
            assertThat(text).hasToString("Good morning.");
            assertThat(end.payload().path("usage"))
                    .isEqualTo(Json.MAPPER.readTree("{\"input_tokens\": 11, \"output_tokens\": 5}"));
            assertThat(end.payload().path("partial").asBoolean()).isFalse();
            assertThat(end.payload().has("messages")).isFalse();
        }
    }

    @Test
    void cancelling_stops_the_model_and_the_conversation_can_continue() {
        trial.beginsToSay("Once upon");
        try (ChatClient client = trial.as(writer)) {
            client.say(message("story", "Tell me"));
            client.await("chat:text-delta");
            int cut = trial.model.closedByClient();
            client.cancel("story");
            assertThat(client.awaitEnd("story").payload().path("partial").asBoolean())
                    .isTrue();
            await().until(() -> trial.model.closedByClient() > cut);

            trial.says(words("Again."));
            client.say(message("story", "Go on"));
            assertThat(client.awaitEnd("story").payload().path("partial").asBoolean())
                    .isFalse();
        }
    }

    @Test
    void a_conversation_gives_one_answer_at_a_time() {
        trial.beginsToSay("Wait");
        try (ChatClient client = trial.as(writer)) {
            client.say(message("busy", "One"));
            client.await("chat:text-delta");
            client.say(message("busy", "Two"));
            ChatEnvelope refused = client.await("chat:error");
            assertThat(refused.text("code")).isEqualTo("CONVERSATION_BUSY");
            assertThat(refused.payload().path("message_id").isNull()).isTrue();
            client.cancel("busy");
            client.awaitEnd("busy");
        }
    }

    @Test
    void added_messages_are_returned_on_request_and_accepted_as_history() {
        trial.says(calls(call("c1", "file_read", "path", "none.txt")), words("There is none."), words("Welcome."));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("history", "Read none.txt")
                    .with("include_messages", Json.MAPPER.getNodeFactory().booleanNode(true)));
            var messages = client.awaitEnd("history").payload().path("messages");
            assertThat(messages.size()).isEqualTo(4);
            assertThat(messages.path(0).path("content").asString()).isEqualTo("Read none.txt");

            client.say(message("history", "Thanks").with("history", messages));
            client.awaitEnd("history");
            var sent = trial.model.request().json().path("messages");
            assertThat(sent.size()).isEqualTo(5);
            assertThat(sent.path(2).path("tool_call_id").asString()).isEqualTo("c1");
            assertThat(sent.path(4).path("content").asString()).isEqualTo("Thanks");
        }
    }

    @Test
    void a_session_limits_its_conversations_and_counts_their_tokens() {
        String session = """
                {"agent_id": "writer", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                 "tenantId": "default", "userId": "u", "sessionId": "budget", "expiresAt": "2099-01-01T00:00:00Z",
                 "capabilities": [{"name": "Shell"}], "llmPolicy": {"maxSessionTokens": 1000}}}""";
        assertThat(trial.server.admin().post("/api/v1/sessions", session).status())
                .isEqualTo(201);
        trial.says(new ChatTrial.Said(ChatTrial.FRAMES.text(List.of("Expensive."), new Usage(900, 99))));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("paid", "Think").with("session_id", "budget"));
            client.awaitEnd("paid");
            assertThat(trial.offered()).doesNotContain("file_read");

            client.say(message("another", "Think again").with("session_id", "budget"));
            ChatEnvelope refused = client.awaitEnd("another");
            assertThat(refused.type()).isEqualTo("chat:error");
            assertThat(refused.text("code")).isEqualTo("LLM_BUDGET_EXCEEDED");
        }
    }

    @Test
    void one_connection_carries_several_conversations_at_once() {
        CountDownLatch both = new CountDownLatch(2);
        trial.model.does(talk -> {
            String content = talk.request()
                    .json()
                    .path("messages")
                    .path(0)
                    .path("content")
                    .asString();
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException stopped) {
                throw new java.io.IOException(stopped);
            }
            talk.begin().send(words("echo ", content).frames()).end();
        });
        try (ChatClient client = trial.as(writer)) {
            client.say(message("left", "L"));
            client.say(message("right", "R"));
            client.awaitEnd("left");
            client.awaitEnd("right");
            assertThat(text(client, "left")).isEqualTo("echo L");
            assertThat(text(client, "right")).isEqualTo("echo R");
        }
    }

    private static String text(ChatClient client, String conversation) {
        StringBuilder text = new StringBuilder();
        client.events().stream()
                .filter(event -> event.type().equals("chat:text-delta")
                        && event.conversation().equals(conversation))
                .forEach(event -> text.append(event.text("content")));
        return text.toString();
    }

    @Test
    void an_error_of_the_model_ends_the_answer_and_says_what_to_do() {
        trial.model.does(talk -> talk.say(429, ChatTrial.FRAMES.refusal("slow down"), "retry-after: 7"));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("limited", "Hello"));
            ChatEnvelope error = client.awaitEnd("limited");
            assertThat(error.type()).isEqualTo("chat:error");
            assertThat(error.text("code")).isEqualTo("rate_limited");
            assertThat(error.payload().path("retryable").asBoolean()).isTrue();
            assertThat(error.payload().path("retry_after_seconds").asInt()).isEqualTo(7);
            assertThat(error.text("remediation")).isNotBlank();
        }
    }

    @Test
    void a_missing_provider_key_is_reported_by_name() {
        try (ChatClient client = trial.as(writer)) {
            client.say(ChatMessage.of("keyless", "claude", "some-model", "Hello"));
            assertThat(client.await("chat:error").text("message")).contains("api_key", "ANTHROPIC_API_KEY");
        }
    }

    @Test
    void the_server_closes_connections_when_it_stops(@TempDir Path other) throws Exception {
        ChatTrial stopped = ChatTrial.start(other, Map.of());
        AgentId agent = stopped.agent("leaver", "guided");
        stopped.beginsToSay("Endless");
        ChatClient client = stopped.as(agent);
        client.say(message("endless", "Talk"));
        client.await("chat:text-delta");
        stopped.close();
        assertThat(client.awaitClose().code()).isEqualTo(1001);
    }
}
