package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.json.Json;
import java.util.Collections;
import java.util.List;

/** How one provider streams the same answers, written from its documentation. The last frame is its last event. */
public interface Frames {
    String MODEL = "model-of-tests";

    /** Words in these pieces. */
    List<String> text(List<String> pieces, Usage usage);

    /** Calls, their pieces as mixed up as this provider may mix them. */
    List<String> calls(List<ToolCall> calls);

    /** A thought in two pieces, then words. */
    List<String> thinking(String thought, String text);

    /** The thought as it is kept for the next turn. */
    Block thought(String thought);

    /** An error in the middle of an answer. */
    String error(String message);

    /** A frame that is not JSON. */
    String malformed();

    /** Streams that never end what they began, each in another place; no line of them has more than 300 bytes. */
    List<List<String>> hoards();

    /** What a server answers when it refuses. */
    String refusal(String message);

    /** A list of two models, {@code one} and {@code two}. */
    String models();

    /** One event of many lines. */
    static List<String> longEvent() {
        return Collections.nCopies(20, "data: " + "x".repeat(100) + "\n");
    }

    static String quoted(String text) {
        return Json.MAPPER.writeValueAsString(text);
    }
}
