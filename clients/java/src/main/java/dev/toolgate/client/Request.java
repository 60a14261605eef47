package dev.toolgate.client;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to the gate.
 *
 * @param path with its query, as it is sent
 * @param repeat whether it is idempotent, so that it may be retried
 */
record Request(String method, String path, Map<String, String> headers, BodyPublisher body, Repeat repeat) {
    /** The effect of sending it twice. */
    enum Repeat {
        /** The same as sending it once. */
        HARMLESS,
        /** It may be carried out twice. */
        HARMFUL
    }

    static Request get(String path) {
        return new Request("GET", path, Map.of(), BodyPublishers.noBody(), Repeat.HARMLESS);
    }

    static Request delete(String path) {
        return new Request("DELETE", path, Map.of(), BodyPublishers.noBody(), Repeat.HARMLESS);
    }

    static Request put(String path, Object json) {
        return json("PUT", path, json, Repeat.HARMLESS);
    }

    static Request patch(String path, Object json) {
        return json("PATCH", path, json, Repeat.HARMLESS);
    }

    static Request post(String path, Object json) {
        return json("POST", path, json, Repeat.HARMFUL);
    }

    /** A request with a request id, which the gate carries out only once. */
    static Request call(String path, Object json) {
        return json("POST", path, json, Repeat.HARMLESS);
    }

    private static Request json(String method, String path, Object json, Repeat repeat) {
        return new Request(
                method,
                path,
                Map.of("Content-Type", "application/json"),
                BodyPublishers.ofByteArray(Json.write(json)),
                repeat);
    }

    Request with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Request(method, path, more, body, repeat);
    }

    /** A path of these segments, each encoded. */
    static String path(String prefix, String... segments) {
        StringBuilder path = new StringBuilder(prefix);
        for (String segment : segments) {
            path.append('/').append(encoded(segment));
        }
        return path.toString();
    }

    /** The path with one more query parameter, unless it is null. */
    static String query(String path, String name, @Nullable Object value) {
        return value == null
                ? path
                : path + (path.indexOf('?') < 0 ? '?' : '&') + encoded(name) + '=' + encoded(value.toString());
    }

    static String query(String path, Map<String, Object> parameters) {
        String all = path;
        for (Map.Entry<String, Object> parameter : parameters.entrySet()) {
            all = query(all, parameter.getKey(), parameter.getValue());
        }
        return all;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
