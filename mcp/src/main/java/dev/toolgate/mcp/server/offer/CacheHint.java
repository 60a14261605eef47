package dev.toolgate.mcp.server.offer;

import java.time.Duration;
import java.util.Locale;

/** How long a client may keep a result, and whether for others than its own caller; told from 2026-07-28 on. */
public record CacheHint(Duration ttl, Scope scope) {
    /** What is asked for anew every time. */
    public static final CacheHint NONE = new CacheHint(Duration.ZERO, Scope.PRIVATE);

    /** For whom a result may be kept. */
    public enum Scope {
        PUBLIC,
        PRIVATE;

        /** The name on the wire. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
