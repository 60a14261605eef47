package dev.toolgate.server.door.hook;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.http.error.BadRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a coding agent reports to its hook about a call. */
sealed interface HookEvent {
    HookCall call();

    /** The tool is about to run, if the hook permits it. */
    record Before(HookCall call) implements HookEvent {}

    /**
     * The tool ran.
     *
     * @param took how long it took, if known
     */
    record After(HookCall call, Outcome outcome, @Nullable Duration took) implements HookEvent {}

    /** The tool did not run after all, because the hook, another one or the user denied it. */
    record NotRun(HookCall call, Outcome outcome) implements HookEvent {}

    /** The outcome of a tool that returned something. */
    static Outcome completed(@Nullable JsonNode response) {
        return new Outcome.Completed(Output.json(response));
    }

    /** The outcome of a tool that failed. */
    static Outcome failed(HookClient client, @Nullable String error) {
        return new Outcome.Failed(Failure.of(
                ErrorCode.TOOL_EXECUTION_FAILED,
                error == null || error.isBlank() ? client + " reports that the tool failed" : error));
    }

    /** A duration in milliseconds; null if the value is not a valid one. */
    static @Nullable Duration millis(@Nullable JsonNode millis) {
        return millis != null && millis.isNumber() && millis.asDouble() >= 0 && millis.asDouble() <= Integer.MAX_VALUE
                ? Duration.ofMillis((long) millis.asDouble())
                : null;
    }

    /** The failure for an event that the hook should not be configured for. */
    static BadRequest unknown(String... known) {
        return new BadRequest("Field 'hook_event_name' must be one of '" + String.join("', '", known)
                + "'; configure this hook for no other event.");
    }
}
