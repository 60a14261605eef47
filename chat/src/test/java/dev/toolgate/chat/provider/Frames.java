package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.json.Json;
import java.util.Collections;
import java.util.List;

/** One provider's streaming format, written from its documentation. The last frame is its last event. */
public interface Frames {
    String MODEL = "model-of-tests";

    /** Text in these pieces. */
    List<String> text(List<String> pieces, Usage usage);

    /** Tool calls, interleaved as far as the provider may. */
    List<String> calls(List<ToolCall> calls);

    /** Thinking in two pieces, then text. */
    List<String> thinking(String thought, String text);

    /** The thinking block as kept for the next turn. */
    Block thought(String thought);

    /** An error within a stream. */
    String error(String message);

    /** A frame that is not JSON. */
    String malformed();

    /** Streams that never complete an element, each a different one; no line has more than 300 bytes. */
    List<List<String>> hoards();

    /** The body of an error response. */
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
