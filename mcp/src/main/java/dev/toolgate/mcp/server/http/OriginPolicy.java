package dev.toolgate.mcp.server.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which web pages may send requests. A request without {@code Origin} does not come from a page; every other origin
 * must be allowed, otherwise a page could reach a local server by DNS rebinding.
 */
public final class OriginPolicy {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> allowed;

    /** Allows some origins, such as {@code https://example.com}, and loopback origins. */
    public OriginPolicy(Set<String> allowed) {
        this.allowed =
                allowed.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a request with this {@code Origin} is allowed. */
    public boolean allows(@Nullable String origin) {
        return origin == null || allowed.contains(origin.toLowerCase(Locale.ROOT)) || isLoopback(origin);
    }

    private static boolean isLoopback(String origin) {
        try {
            URI uri = URI.create(origin);
            return uri.getHost() != null
                    && ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
                    && LOOPBACK.contains(uri.getHost().toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }
}
