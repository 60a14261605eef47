package dev.toolgate.server.operate;

import org.jspecify.annotations.Nullable;

/**
 * What a call is part of, in the words of an agent host; said in telemetry and nowhere else.
 *
 * @param task the task the agent works on
 * @param step the step of the task
 */
public record Errand(@Nullable String task, @Nullable String step) {
    /** A call that is part of nothing. */
    public static final Errand NONE = new Errand(null, null);
}
