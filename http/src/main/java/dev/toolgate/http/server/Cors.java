package dev.toolgate.http.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Cross-origin access: only listed origins, and never with cookies; such pages send a key of their own.
 *
 * @param origins such as {@code http://localhost:5173}
 * @param paths the route patterns they may use
 */
public record Cors(Set<String> origins, Set<String> paths) {
    /** No cross-origin access. */
    public static final Cors NONE = new Cors(Set.of(), Set.of());

    private static final String ALLOWED_HEADERS = "Authorization, Content-Type, X-Agent-ID, X-Correlation-ID";
    private static final String EXPOSED_HEADERS = "Retry-After, X-Correlation-ID";
    private static final String MAX_AGE_SECONDS = "600";

    public Cors {
        origins = Set.copyOf(origins);
        paths = origins.isEmpty() ? Set.of() : Set.copyOf(paths);
    }

    /** The CORS headers of a response. */
    Map<String, String> ofAnswer(String path, HttpFields request) {
        Map<String, String> headers = common(path, request);
        if (headers.size() > 1) {
            headers.put("Access-Control-Expose-Headers", EXPOSED_HEADERS);
        }
        return headers;
    }

    /** The CORS headers of a preflight response. */
    Map<String, String> ofPreflight(String path, String methods, HttpFields request) {
        Map<String, String> headers = common(path, request);
        if (headers.size() > 1 && request.contains("Access-Control-Request-Method")) {
            headers.put("Access-Control-Allow-Methods", methods);
            headers.put("Access-Control-Allow-Headers", ALLOWED_HEADERS);
            headers.put("Access-Control-Max-Age", MAX_AGE_SECONDS);
        }
        return headers;
    }

    // Vary is sent regardless of origin, since caches are shared.
    private Map<String, String> common(String path, HttpFields request) {
        if (!paths.contains(path)) {
            return Map.of();
        }
        Map<String, String> headers = new HashMap<>();
        headers.put("Vary", "Origin");
        String origin = request.get(HttpHeader.ORIGIN);
        if (origin != null && origins.contains(origin)) {
            headers.put("Access-Control-Allow-Origin", origin);
        }
        return headers;
    }
}
