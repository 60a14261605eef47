package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Frames.quoted;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Ollama's streaming format. */
public final class OllamaFrames implements Frames {
    private static String line(String message) {
        return "{\"model\":\"" + MODEL + "\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{"
                + "\"role\":\"assistant\"," + message + "},\"done\":false}\n";
    }

    private static List<String> end(List<String> frames, Usage usage) {
        frames.add("{\"model\":\"" + MODEL + "\",\"created_at\":\"2026-01-01T00:00:01Z\",\"message\":{"
                + "\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\","
                + "\"total_duration\":1,\"prompt_eval_count\":" + usage.inputTokens() + ",\"eval_count\":"
                + usage.outputTokens() + "}\n");
        return frames;
    }

    @Override
    public List<String> text(List<String> pieces, Usage usage) {
        List<String> frames = new ArrayList<>();
        pieces.forEach(piece -> frames.add(line("\"content\":" + quoted(piece))));
        return end(frames, usage);
    }

    // Calls are complete; only newer versions send an id, and there is no index.
    @Override
    public List<String> calls(List<ToolCall> calls) {
        String all = calls.stream()
                .map(call -> "{\"id\":" + quoted(call.id()) + ",\"function\":{\"name\":" + quoted(call.name())
                        + ",\"arguments\":" + call.input() + "}}")
                .collect(Collectors.joining(","));
        return end(new ArrayList<>(List.of(line("\"content\":\"\",\"tool_calls\":[" + all + "]"))), new Usage(7, 9));
    }

    @Override
    public List<String> thinking(String thought, String text) {
        int half = thought.length() / 2;
        List<String> frames = new ArrayList<>();
        frames.add(line("\"content\":\"\",\"thinking\":" + quoted(thought.substring(0, half))));
        frames.add(line("\"content\":\"\",\"thinking\":" + quoted(thought.substring(half))));
        frames.add(line("\"content\":" + quoted(text)));
        return end(frames, new Usage(7, 9));
    }

    @Override
    public Block thought(String thought) {
        return new Block.Thinking(thought, null);
    }

    @Override
    public String error(String message) {
        return "{\"error\":" + quoted(message) + "}\n";
    }

    @Override
    public String malformed() {
        return "{\"model\": \"model\n";
    }

    // Every line is complete, so nothing is carried over.
    @Override
    public List<List<String>> hoards() {
        return List.of();
    }

    @Override
    public String refusal(String message) {
        return "{\"error\":" + quoted(message) + "}";
    }

    @Override
    public String models() {
        return "{\"models\":[{\"name\":\"one\",\"model\":\"one\",\"size\":1},{\"name\":\"two\",\"model\":\"two\"}]}";
    }
}
