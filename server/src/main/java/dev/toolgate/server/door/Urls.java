package dev.toolgate.server.door;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Builds URL paths and queries; ids may contain any character, including slashes. */
public final class Urls {
    private Urls() {}

    /** The path of one resource in a collection. */
    public static String of(String collection, String id) {
        return collection + "/" + encoded(id);
    }

    /** A path with query parameters in the given order. */
    public static String of(String path, Map<String, String> query) {
        return query.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&", path + "?", ""));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
