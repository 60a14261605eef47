package dev.toolgate.mcp.protocol;

/** How a client and a server negotiate the protocol revision. */
public enum Era {
    /** A session that begins with {@code initialize}; either side may send requests. */
    LEGACY,
    /** Every request carries revision, client and capabilities; only clients send requests. */
    MODERN
}
