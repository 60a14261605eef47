package dev.toolgate.core.tool;

import java.util.Locale;

/** What a tool works on; for grouping, and to recognise tools of MCP servers, which a session must name. */
public enum Category {
    FILE,
    EXEC,
    NETWORK,
    SEARCH,
    GITHUB,
    MEMORY,
    DATA,
    REMOTE,
    MCP,
    EXTERNAL;

    /** The name as dialects write it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
