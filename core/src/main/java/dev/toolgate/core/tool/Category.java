package dev.toolgate.core.tool;

import java.util.Locale;

/** What a tool works on; used for grouping, never for deciding. */
public enum Category {
    FILE,
    EXEC,
    NETWORK,
    SEARCH,
    GITHUB,
    MEMORY,
    DATA,
    REMOTE,
    MCP;

    /** The name as dialects write it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
