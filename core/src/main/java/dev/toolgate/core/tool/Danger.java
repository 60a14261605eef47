package dev.toolgate.core.tool;

import java.util.Locale;

/** Whether approval may be wanted before the tool runs. */
public enum Danger {
    SAFE,
    DANGEROUS;

    /** The name as dialects write it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
