package dev.toolgate.runtime.command;

import dev.toolgate.core.tool.ToolContext;
import java.math.BigDecimal;
import java.time.Duration;

/** How long a command may run, and whether an interrupt means that the time of its call is up. */
public record TimeAllowance(Duration limit, ToolContext context, long startedNanos) {
    // The pipeline starts its clock a little before the tool starts this one.
    private static final Duration HEAD_START = Duration.ofMillis(500);

    /** The time asked for, or what the call's bounds leave of it, counted from now. */
    public static TimeAllowance of(int askedSeconds, ToolContext context) {
        Duration asked = Duration.ofSeconds(askedSeconds);
        Duration allowed = context.bounds().timeout();
        Duration limit = allowed == null || asked.compareTo(allowed) <= 0 ? asked : allowed;
        return new TimeAllowance(limit, context, System.nanoTime());
    }

    /**
     * Whether an interrupt that arrives now is the pipeline's alarm: its limit is the bounds' too, so
     * it comes at about the same moment as the tool's own.
     */
    boolean alarmIsDue() {
        Duration allowed = context.bounds().timeout();
        return allowed != null
                && !context.call().cancellation().isCancelled()
                && System.nanoTime() - startedNanos >= allowed.minus(HEAD_START).toNanos();
    }

    public String inSeconds() {
        return BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
