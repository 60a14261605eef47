package dev.toolgate.core.tool;

import java.util.Locale;

/** What a tool works on; for grouping, and to tell tools of MCP servers, which sessions must name, from others. */
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
