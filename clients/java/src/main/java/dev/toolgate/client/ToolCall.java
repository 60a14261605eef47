package dev.toolgate.client;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool that the caller runs itself.
 *
 * @param call the call
 * @param toolCallId the id that the model gave the call
 * @param source the program that will run the tool and its version; this client if null
 * @param expiresIn the lifetime of the permit; the gate's default if null
 */
public record ToolCall(
        Call call,
        @Nullable String toolCallId,
        @Nullable String source,
        @Nullable Duration expiresIn) {
    /** A call with these arguments. */
    public static ToolCall of(String tool, Map<String, ?> parameters) {
        return of(Call.of(tool, parameters));
    }

    /** This call. */
    public static ToolCall of(Call call) {
        return new ToolCall(call, null, null, null);
    }

    /** The same with the id that the model gave the call. */
    public ToolCall withToolCallId(String id) {
        return new ToolCall(call, id, source, expiresIn);
    }

    /** The same with the program that will run the tool. */
    public ToolCall from(String program) {
        return new ToolCall(call, toolCallId, program, expiresIn);
    }

    /** The same with a permit for this long. */
    public ToolCall expiringIn(Duration time) {
        return new ToolCall(call, toolCallId, source, time);
    }
}
