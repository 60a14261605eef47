package dev.toolgate.server.door;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes addresses; ids in them may have any character, a slash too. */
public final class Addresses {
    private Addresses() {}

    /** The address of one thing in a collection. */
    public static String of(String collection, String id) {
        return collection + "/" + encoded(id);
    }

    /** An address with query parameters, in their order. */
    public static String of(String path, Map<String, String> query) {
        return query.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&", path + "?", ""));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
