package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Frames.quoted;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import java.util.ArrayList;
import java.util.List;

/** OpenAI's streaming format. */
public final class OpenAiFrames implements Frames {
    private static String data(String rest) {
        return "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"model\":\"" + MODEL + "\"," + rest
                + "}\n\n";
    }

    private static String delta(String delta) {
        return data("\"choices\":[{\"index\":0,\"delta\":" + delta + ",\"finish_reason\":null}],\"usage\":null");
    }

    private static List<String> end(List<String> frames, String reason, Usage usage) {
        frames.add(data("\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]"));
        frames.add(data("\"choices\":[],\"usage\":{\"prompt_tokens\":" + usage.inputTokens() + ",\"completion_tokens\":"
                + usage.outputTokens() + "}"));
        frames.add("data: [DONE]\n\n");
        return frames;
    }

    private static List<String> begin() {
        return new ArrayList<>(List.of(delta("{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}")));
    }

    @Override
    public List<String> text(List<String> pieces, Usage usage) {
        List<String> frames = begin();
        pieces.forEach(piece -> frames.add(delta("{\"content\":" + quoted(piece) + "}")));
        return end(frames, "stop", usage);
    }

    @Override
    public List<String> calls(List<ToolCall> calls) {
        List<String> frames = begin();
        for (int i = 0; i < calls.size(); i++) {
            frames.add(delta("{\"tool_calls\":[{\"index\":" + i + ",\"id\":"
                    + quoted(calls.get(i).id())
                    + ",\"type\":\"function\",\"function\":{\"name\":"
                    + quoted(calls.get(i).name())
                    + ",\"arguments\":\"\"}}]}"));
        }
        for (int half = 0; half < 2; half++) {
            for (int i = 0; i < calls.size(); i++) {
                String input = calls.get(i).input();
                if (!input.equals("{}")) {
                    String piece =
                            half == 0 ? input.substring(0, input.length() / 2) : input.substring(input.length() / 2);
                    frames.add(delta("{\"tool_calls\":[{\"index\":" + i + ",\"function\":{\"arguments\":"
                            + quoted(piece) + "}}]}"));
                }
            }
        }
        return end(frames, "tool_calls", new Usage(7, 9));
    }

    @Override
    public List<String> thinking(String thought, String text) {
        List<String> frames = begin();
        int half = thought.length() / 2;
        frames.add(delta("{\"reasoning_content\":" + quoted(thought.substring(0, half)) + "}"));
        frames.add(delta("{\"reasoning_content\":" + quoted(thought.substring(half)) + "}"));
        frames.add(delta("{\"content\":" + quoted(text) + "}"));
        return end(frames, "stop", new Usage(7, 9));
    }

    @Override
    public Block thought(String thought) {
        return new Block.Thinking(thought, null);
    }

    @Override
    public String error(String message) {
        return "data: {\"error\":{\"message\":" + quoted(message) + ",\"type\":\"server_error\",\"code\":null}}\n\n";
    }

    @Override
    public String malformed() {
        return "data: {\"id\": \"chatcmpl\n\n";
    }

    @Override
    public List<List<String>> hoards() {
        return List.of(Frames.longEvent());
    }

    @Override
    public String refusal(String message) {
        return "{\"error\":{\"message\":" + quoted(message) + ",\"type\":\"x\",\"param\":null,\"code\":null}}";
    }

    @Override
    public String models() {
        return "{\"object\":\"list\",\"data\":[{\"id\":\"one\",\"object\":\"model\"},{\"id\":\"two\",\"object\":\"model\"}]}";
    }
}
