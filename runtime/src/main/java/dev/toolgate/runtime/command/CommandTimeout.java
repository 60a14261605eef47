package dev.toolgate.runtime.command;

import dev.toolgate.core.tool.ToolContext;
import java.math.BigDecimal;
import java.time.Duration;

/** The time limit of a command; distinguishes the call's time-out from a cancellation. */
public record CommandTimeout(Duration limit, ToolContext context, long startedNanos) {
    // The pipeline's timer starts a little before this one.
    private static final Duration HEAD_START = Duration.ofMillis(500);

    /** The requested time, limited by the call's bounds, starting now. */
    public static CommandTimeout of(int askedSeconds, ToolContext context) {
        Duration asked = Duration.ofSeconds(askedSeconds);
        Duration allowed = context.bounds().timeout();
        Duration limit = allowed == null || asked.compareTo(allowed) <= 0 ? asked : allowed;
        return new CommandTimeout(limit, context, System.nanoTime());
    }

    /**
     * Whether an interrupt that arrives now is the pipeline's time-out. It uses the same limit, so it fires at about
     * the same moment as the tool's own.
     */
    boolean callTimedOut() {
        Duration allowed = context.bounds().timeout();
        return allowed != null
                && !context.call().cancellation().isCancelled()
                && System.nanoTime() - startedNanos >= allowed.minus(HEAD_START).toNanos();
    }

    public String inSeconds() {
        return BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
