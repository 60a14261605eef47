package dev.toolgate.mcp.server.offer;

import java.time.Duration;
import java.util.Locale;

/** How long a client may cache a result, and whether it may share it between users; sent from 2026-07-28 on. */
public record CacheHint(Duration ttl, Scope scope) {
    /** Not cached. */
    public static final CacheHint NONE = new CacheHint(Duration.ZERO, Scope.PRIVATE);

    /** For whom a result may be cached. */
    public enum Scope {
        PUBLIC,
        PRIVATE;

        /** The name on the wire. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
