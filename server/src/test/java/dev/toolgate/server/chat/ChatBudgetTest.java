package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts to exceed the token budget of a session. */
class ChatBudgetTest {
    @TempDir
    static Path home;

    private static ChatTrial trial;
    private static AgentId victim;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(home, Map.of());
        victim = trial.agent("victim", "guided", "file_read");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    @Test
    void concurrent_messages_do_not_exceed_the_token_budget_of_their_session() {
        String session = """
                {"agent_id": "victim", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                 "tenantId": "default", "userId": "u", "sessionId": "crowd", "expiresAt": "2099-01-01T00:00:00Z",
                 "capabilities": [], "llmPolicy": {"maxSessionTokens": 1000}}}""";
        assertThat(trial.server.admin().post("/api/v1/sessions", session).status())
                .isEqualTo(201);
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch allDecided = new CountDownLatch(1);
        trial.model.does(talk -> {
            asked.incrementAndGet();
            try {
                allDecided.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
            talk.begin()
                    .send(ChatTrial.FRAMES.text(List.of("Noon."), new Usage(1, 99)))
                    .end();
        });
        try (ChatClient left = trial.as(victim);
                ChatClient right = trial.as(victim)) {
            for (int i = 0; i < 64; i++) {
                (i % 2 == 0 ? left : right)
                        .say(message("crowd-" + i, "When?")
                                .with("session_id", "crowd")
                                .with("max_tokens", Json.MAPPER.getNodeFactory().numberNode(99)));
            }
            await().until(() -> asked.get() + overBudget(left) + overBudget(right) == 64);
            assertThat(asked).as("100 tokens each, of 1000").hasValue(10);

            allDecided.countDown();
            await().until(() -> ended(left) + ended(right) == 10);
            left.say(message("later", "When?").with("session_id", "crowd"));
            assertThat(left.awaitEnd("later").text("code")).isEqualTo("LLM_BUDGET_EXCEEDED");
            assertThat(asked).hasValue(10);
        } finally {
            allDecided.countDown();
        }
    }

    private static long overBudget(ChatClient client) {
        return client.events().stream()
                .filter(event ->
                        event.type().equals("chat:error") && event.text("code").equals("LLM_BUDGET_EXCEEDED"))
                .count();
    }

    private static long ended(ChatClient client) {
        return client.types().stream().filter("chat:stream-end"::equals).count();
    }
}
