package dev.toolgate.chat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.toolgate.core.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamChunkJsonTest {
    private static void assertJson(StreamChunk chunk, String json) {
        assertThat(Json.MAPPER.readTree(StreamChunkJson.write(chunk).toString()))
                .isEqualTo(Json.MAPPER.readTree(json));
    }

    @Test
    void every_chunk_has_the_fields_of_the_specification_and_no_others() {
        assertJson(
                new StreamChunk.Start("m", 0, "x"),
                "{\"type\":\"start\",\"content\":\"\",\"message_id\":\"m\",\"index\":0,\"model\":\"x\"}");
        assertJson(
                new StreamChunk.Text("m", 1, "hi"),
                "{\"type\":\"chunk\",\"content\":\"hi\",\"message_id\":\"m\",\"index\":1}");
        assertJson(
                new StreamChunk.Thinking("m", 2, "hm", new ThinkingSeal.Signature("s")),
                "{\"type\":\"thinking\",\"content\":\"hm\",\"message_id\":\"m\",\"index\":2}");
        assertJson(
                new StreamChunk.ToolCallStart("m", 3, "t", "bash"),
                "{\"type\":\"tool_call_start\",\"content\":\"\",\"message_id\":\"m\",\"index\":3,"
                        + "\"toolId\":\"t\",\"toolName\":\"bash\"}");
        assertJson(
                new StreamChunk.ToolCallDelta("m", 4, "t", "{"),
                "{\"type\":\"tool_call_delta\",\"content\":\"{\",\"message_id\":\"m\",\"index\":4,\"toolId\":\"t\"}");
        assertJson(
                new StreamChunk.ToolCallEnd("m", 5, "t"),
                "{\"type\":\"tool_call_end\",\"content\":\"\",\"message_id\":\"m\",\"index\":5,\"toolId\":\"t\"}");
        assertJson(
                new StreamChunk.End("m", 6, new Usage(1, 2), "x", StopReason.FINISHED),
                "{\"type\":\"end\",\"content\":\"\",\"message_id\":\"m\",\"index\":6,\"model\":\"x\","
                        + "\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}");
        assertJson(
                new StreamChunk.Broken("m", 7, ProviderFailure.of(ProviderFailure.Kind.OVERLOADED, "Busy.")),
                "{\"type\":\"error\",\"content\":\"Busy.\",\"message_id\":\"m\",\"index\":7}");
    }

    @Test
    void messages_survive_being_written_and_read() {
        List<Message> messages = List.of(
                new Message.Instructions("Be brief."),
                new Message.User("Look."),
                new Message.Assistant(List.of(
                        new Block.Thinking("Hm.", "sig"),
                        new Block.Thinking("Aha.", null),
                        new Block.RedactedThinking("data"),
                        new Block.Text("I look."),
                        new ToolCall("a", "bash", "{\"command\":\"ls\"}"),
                        new ToolCall("b", "bash", "{\"command\":"))),
                new Message.Tool("a", "bash", "x", Message.Status.SUCCESS),
                new Message.Tool("b", "bash", "y", Message.Status.ERROR));

        for (Message message : messages) {
            assertThat(MessageJson.read(MessageJson.write(message))).isEqualTo(message);
        }
        assertThat(MessageJson.write(messages.get(3)))
                .isEqualTo(Json.MAPPER.readTree("{\"role\":\"tool\",\"content\":\"x\",\"toolCallId\":\"a\","
                        + "\"toolName\":\"bash\",\"status\":\"success\"}"));
        assertThat(MessageJson.write(messages.get(2)).at("/toolCalls/0"))
                .isEqualTo(Json.MAPPER.readTree("{\"id\":\"a\",\"name\":\"bash\",\"input\":{\"command\":\"ls\"}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"role\":\"robot\",\"content\":\"x\"}",
                "{\"role\":\"user\",\"content\":[]}",
                "{\"role\":\"tool\",\"content\":\"x\"}",
                "{\"role\":\"assistant\",\"toolCalls\":[{\"name\":\"bash\"}]}",
                "[]"
            })
    void an_invalid_message_is_refused(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> MessageJson.read(Json.MAPPER.readTree(json)));
    }
}
