package dev.toolgate.mcp.protocol;

/** How a client and a server agree on what they speak. */
public enum Era {
    /** A session that begins with {@code initialize}; either side may send requests. */
    LEGACY,
    /** Every request carries revision, client and capabilities; only clients send requests. */
    MODERN
}
