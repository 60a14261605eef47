package dev.toolgate.core.tool;

import java.util.Locale;

/** Where a tool runs once the gate has allowed a call. */
public enum RunsAt {
    /** Here: the gate runs it. */
    GATE,
    /** At the caller, which the gate gives a permit, and which reports the outcome. */
    CLIENT;

    /** The name as it is stored and sent. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
