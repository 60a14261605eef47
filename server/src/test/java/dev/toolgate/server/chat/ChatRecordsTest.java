package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Audit records of tool calls contain the ids of their conversation. */
class ChatRecordsTest {
    @TempDir
    static Path home;

    private static ChatTrial trial;
    private static AgentId writer;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(home, Map.of());
        writer = trial.agent("recorded", "guided", "file_read");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    @Test
    void a_record_has_conversation_message_tool_call_and_correlation_id() throws Exception {
        Files.writeString(home.resolve("workspace/greeting.txt"), "hello");
        trial.says(
                calls(
                        call("call_1", "file_read", "path", "greeting.txt"),
                        call("call_2", "file_read", "path", "no.txt")),
                words("Done."));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("talk-7", "Read"));
            client.awaitEnd("talk-7");

            JsonNode records = trial.records("conversation_id=talk-7");
            assertThat(records).hasSize(2);
            assertThat(records.valueStream()
                            .map(each -> each.path("tool_call_id").asString()))
                    .containsExactlyInAnyOrder("call_1", "call_2");
            String message = client.await("chat:tool-start").text("messageId");
            assertThat(records.valueStream()).allSatisfy(record -> {
                assertThat(record.path("message_id").asString()).isEqualTo(message);
                assertThat(record.path("correlation_id").asString()).isNotBlank();
            });
            assertThat(trial.records("correlation_id="
                            + records.path(0).path("correlation_id").asString()))
                    .hasSize(2);
            assertThat(trial.records("conversation_id=another")).isEmpty();
        }
    }
}
