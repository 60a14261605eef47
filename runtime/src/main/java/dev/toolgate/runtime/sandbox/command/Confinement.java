package dev.toolgate.runtime.sandbox.command;

/**
 * What confines commands on this machine.
 *
 * @param how the mechanism, for example {@code bubblewrap}
 * @param detail one sentence for people: what was checked, or what is missing and how to fix it
 */
public record Confinement(Level level, String how, String detail) {

    /** How far commands can be trusted not to reach. */
    public enum Level {
        /** Checked by attacking it at start-up. */
        CONFINED,
        /** Asked for explicitly; weaker than confined. */
        DEGRADED,
        /** Commands are refused. */
        UNAVAILABLE
    }
}
