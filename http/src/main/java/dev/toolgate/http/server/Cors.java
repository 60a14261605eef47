package dev.toolgate.http.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Which pages of other origins may ask what. Only origins that are named, and never with cookies: a page that may ask
 * sends a key of its own.
 *
 * @param origins such as {@code http://localhost:5173}
 * @param paths the patterns of the routes they may use
 */
public record Cors(Set<String> origins, Set<String> paths) {
    /** No page of another origin may ask anything. */
    public static final Cors NONE = new Cors(Set.of(), Set.of());

    private static final String HEADERS_TAKEN = "Authorization, Content-Type, X-Agent-ID, X-Correlation-ID";
    private static final String HEADERS_SHOWN = "Retry-After, X-Correlation-ID";
    private static final String REMEMBERED_SECONDS = "600";

    public Cors {
        origins = Set.copyOf(origins);
        paths = origins.isEmpty() ? Set.of() : Set.copyOf(paths);
    }

    /** What an answer says to the browser. */
    Map<String, String> ofAnswer(String path, HttpFields request) {
        Map<String, String> headers = common(path, request);
        if (headers.size() > 1) {
            headers.put("Access-Control-Expose-Headers", HEADERS_SHOWN);
        }
        return headers;
    }

    /** What a browser is told that asks before it sends a page's request. */
    Map<String, String> ofPreflight(String path, String methods, HttpFields request) {
        Map<String, String> headers = common(path, request);
        if (headers.size() > 1 && request.contains("Access-Control-Request-Method")) {
            headers.put("Access-Control-Allow-Methods", methods);
            headers.put("Access-Control-Allow-Headers", HEADERS_TAKEN);
            headers.put("Access-Control-Max-Age", REMEMBERED_SECONDS);
        }
        return headers;
    }

    // That the answer depends on the origin is said to all, since caches keep it for all.
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
