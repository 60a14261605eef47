package dev.toolgate.runtime.sandbox.command;

/**
 * How commands are confined on this machine.
 *
 * @param mechanism the mechanism, for example {@code bubblewrap}
 * @param detail one sentence: what was checked, or what is missing and how to fix it
 */
public record Confinement(Level level, String mechanism, String detail) {

    /** How strongly commands are confined. */
    public enum Level {
        /** Confined, verified by attacks at start-up. */
        CONFINED,
        /** Weaker, enabled explicitly. */
        DEGRADED,
        /** Commands are refused. */
        UNAVAILABLE
    }
}
