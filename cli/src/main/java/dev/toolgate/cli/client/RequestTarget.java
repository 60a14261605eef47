package dev.toolgate.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is asked of a server: a path whose parts may hold anything, and a query. */
public record RequestTarget(String text) {

    /** The path with these parts below {@code /api/v1}. */
    public static RequestTarget api(String... parts) {
        return new RequestTarget(
                Arrays.stream(parts).map(RequestTarget::encoded).collect(Collectors.joining("/", "/api/v1/", "")));
    }

    /** The same with one more query parameter, unless there is no value for it. */
    public RequestTarget with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        return new RequestTarget(text + (text.indexOf('?') < 0 ? '?' : '&') + name + '=' + encoded(value.toString()));
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
