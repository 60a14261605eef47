package dev.toolgate.core.tool;

import java.util.Locale;

/** Where a tool runs once the gate has allowed a call. */
public enum RunsAt {
    /** The gate runs it. */
    GATE,
    /** The caller runs it with a permit from the gate and reports the outcome. */
    CLIENT;

    /** The name as it is stored and sent. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
