package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Frames.quoted;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import java.util.ArrayList;
import java.util.List;

/** Claude's streaming format. */
public final class ClaudeFrames implements Frames {
    private static String event(String type, String fields) {
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + fields + "}\n\n";
    }

    private static String start(long input) {
        return event(
                        "message_start",
                        ",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],"
                                + "\"model\":\"" + MODEL + "\",\"stop_reason\":null,\"usage\":{\"input_tokens\":"
                                + input + ",\"output_tokens\":1}}")
                + event("ping", "");
    }

    private static String begin(int index, String block) {
        return event("content_block_start", ",\"index\":" + index + ",\"content_block\":" + block);
    }

    private static String delta(int index, String delta) {
        return event("content_block_delta", ",\"index\":" + index + ",\"delta\":" + delta);
    }

    private static String stop(int index) {
        return event("content_block_stop", ",\"index\":" + index);
    }

    private static List<String> end(List<String> frames, String reason, long output) {
        frames.add(event(
                "message_delta",
                ",\"delta\":{\"stop_reason\":\"" + reason + "\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":"
                        + output + "}"));
        frames.add(event("message_stop", ""));
        return frames;
    }

    private static void text(int index, List<String> pieces, List<String> frames) {
        frames.add(begin(index, "{\"type\":\"text\",\"text\":\"\"}"));
        for (String piece : pieces) {
            frames.add(delta(index, "{\"type\":\"text_delta\",\"text\":" + quoted(piece) + "}"));
        }
        frames.add(stop(index));
    }

    @Override
    public List<String> text(List<String> pieces, Usage usage) {
        List<String> frames = new ArrayList<>(List.of(start(usage.inputTokens())));
        text(0, pieces, frames);
        return end(frames, "end_turn", usage.outputTokens());
    }

    @Override
    public List<String> calls(List<ToolCall> calls) {
        List<String> frames = new ArrayList<>(List.of(start(7)));
        for (int i = 0; i < calls.size(); i++) {
            ToolCall call = calls.get(i);
            frames.add(begin(
                    i,
                    "{\"type\":\"tool_use\",\"id\":" + quoted(call.id()) + ",\"name\":" + quoted(call.name())
                            + ",\"input\":{}}"));
        }
        // Blocks are identified by index, so their pieces may be interleaved.
        for (int half = 0; half < 2; half++) {
            for (int i = 0; i < calls.size(); i++) {
                String input = calls.get(i).input();
                if (!input.equals("{}")) { // without arguments there is no delta at all
                    String piece =
                            half == 0 ? input.substring(0, input.length() / 2) : input.substring(input.length() / 2);
                    frames.add(delta(i, "{\"type\":\"input_json_delta\",\"partial_json\":" + quoted(piece) + "}"));
                }
            }
        }
        for (int i = 0; i < calls.size(); i++) {
            frames.add(stop(i));
        }
        return end(frames, "tool_use", 9);
    }

    @Override
    public List<String> thinking(String thought, String text) {
        List<String> frames = new ArrayList<>(List.of(start(7)));
        int half = thought.length() / 2;
        frames.add(begin(0, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"));
        frames.add(delta(0, "{\"type\":\"thinking_delta\",\"thinking\":" + quoted(thought.substring(0, half)) + "}"));
        frames.add(delta(0, "{\"type\":\"thinking_delta\",\"thinking\":" + quoted(thought.substring(half)) + "}"));
        frames.add(delta(0, "{\"type\":\"signature_delta\",\"signature\":\"c2lnbmVk\"}"));
        frames.add(stop(0));
        text(1, List.of(text), frames);
        return end(frames, "end_turn", 9);
    }

    @Override
    public Block thought(String thought) {
        return new Block.Thinking(thought, "c2lnbmVk");
    }

    @Override
    public String error(String message) {
        return event("error", ",\"error\":{\"type\":\"overloaded_error\",\"message\":" + quoted(message) + "}");
    }

    @Override
    public String malformed() {
        return "event: content_block_delta\ndata: {\"type\": \"content_block\n\n";
    }

    @Override
    public List<List<String>> hoards() {
        String piece = "s".repeat(100);
        List<String> signature = new ArrayList<>(List.of(start(7), begin(0, "{\"type\":\"thinking\"}")));
        List<String> thoughts = new ArrayList<>(List.of(start(7)));
        for (int i = 0; i < 20; i++) {
            signature.add(delta(0, "{\"type\":\"signature_delta\",\"signature\":\"" + piece + "\"}"));
            thoughts.add(begin(i, "{\"type\":\"thinking\",\"signature\":\"" + piece + "\"}"));
        }
        return List.of(signature, thoughts, Frames.longEvent());
    }

    @Override
    public String refusal(String message) {
        return "{\"type\":\"error\",\"error\":{\"type\":\"x\",\"message\":" + quoted(message) + "}}";
    }

    @Override
    public String models() {
        return "{\"data\":[{\"type\":\"model\",\"id\":\"one\",\"display_name\":\"One\"},"
                + "{\"type\":\"model\",\"id\":\"two\",\"display_name\":\"Two\"}],\"has_more\":false}";
    }
}
