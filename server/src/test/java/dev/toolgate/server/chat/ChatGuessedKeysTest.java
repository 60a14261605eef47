package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Guesses of keys delay everyone at the same address who uses a guessable key; a running conversation with such a key
 * continues.
 */
class ChatGuessedKeysTest {
    private static final String CHOSEN = "a key that an admin has chosen";
    private static final int FREE_GUESSES = 10;

    @TempDir
    static Path home;

    private static ChatTrial trial;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(home, Map.of("auth.admin_key", CHOSEN));
        trial.agent("reader", "autonomous", "file_read");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    private static void guess() {
        for (int i = 0; i < FREE_GUESSES; i++) {
            assertThat(trial.server
                            .withKey("a guess of somebody else " + i)
                            .get("/api/v1/agents")
                            .status())
                    .isIn(401, 429);
        }
    }

    @Test
    void wrong_keys_of_others_do_not_end_a_conversation() {
        try (ChatClient client = ChatClient.connect(trial.server.url(), CHOSEN)) {
            toolsWait(client);
            messagesWait(client);
            assertThat(client.events().toString()).doesNotContain("UNAUTHORIZED");
        }
    }

    // The first delay is only a second, which a busy machine may miss; then the model calls once more.
    private static void toolsWait(ChatClient client) {
        AtomicInteger number = new AtomicInteger();
        trial.model.does(talk -> {
            boolean refused = talk.request().body().contains("RATE_LIMITED");
            if (!refused) {
                guess();
            }
            String id = "c" + number.incrementAndGet();
            talk.begin()
                    .send((refused ? words("Later.") : calls(call(id, "file_read", "path", "a.txt"))).frames())
                    .end();
        });
        client.say(message("tools", "Read").with("agent_id", "reader"));
        ChatEnvelope end = client.awaitEnd("tools");
        assertThat(end.type()).isEqualTo("chat:stream-end");
        assertThat(end.payload().path("partial").asBoolean(true)).isFalse();
        assertThat(client.said("chat:text-delta")).isEqualTo("Later.");
        assertThat(client.events())
                .filteredOn(event -> event.type().equals("chat:tool-result"))
                .last()
                .satisfies(result -> {
                    assertThat(result.payload().at("/metadata/code").asString()).isEqualTo("RATE_LIMITED");
                    assertThat(result.payload()
                                    .at("/metadata/retryAfterSeconds")
                                    .asLong())
                            .isPositive();
                });
    }

    private static void messagesWait(ChatClient client) {
        trial.beginsToSay("Once upon");
        await().until(() -> {
            client.say(message("story", "Tell me").with("agent_id", "reader"));
            return client.events().stream()
                    .anyMatch(event -> event.type().equals("chat:text-delta")
                            && event.conversation().equals("story"));
        });
        int cut = trial.model.closedByClient();
        await().until(() -> {
            guess();
            client.cancel("no such conversation");
            return client.events().stream()
                    .anyMatch(event -> event.type().equals("chat:error")
                            && event.conversation().equals("no such conversation"));
        });
        ChatEnvelope error =
                client.await("the error", event -> event.conversation().equals("no such conversation"));
        assertThat(error.text("code")).isEqualTo("RATE_LIMITED");
        assertThat(error.payload().path("retryable").asBoolean()).isTrue();
        assertThat(error.payload().path("retry_after_seconds").asInt()).isPositive();
        assertThat(error.payload().path("message_id").isNull()).isTrue();
        assertThat(trial.model.closedByClient())
                .as("the conversation continues")
                .isEqualTo(cut);

        await().until(() -> {
            client.cancel("story");
            return trial.model.closedByClient() > cut;
        });
        assertThat(client.awaitEnd("story").payload().path("partial").asBoolean())
                .isTrue();
    }
}
