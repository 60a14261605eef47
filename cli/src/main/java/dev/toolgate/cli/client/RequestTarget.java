package dev.toolgate.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The path and query of a request; values are URL-encoded. */
public record RequestTarget(String text) {

    /** The path with these segments below {@code /api/v1}. */
    public static RequestTarget api(String... parts) {
        return new RequestTarget(
                Arrays.stream(parts).map(RequestTarget::encoded).collect(Collectors.joining("/", "/api/v1/", "")));
    }

    /** Adds a query parameter, unless the value is null. */
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
