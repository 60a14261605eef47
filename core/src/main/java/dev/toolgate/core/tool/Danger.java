package dev.toolgate.core.tool;

import java.util.Locale;

/** Whether a person may want to be asked before the tool runs. */
public enum Danger {
    SAFE,
    DANGEROUS;

    /** The name as dialects write it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
