package dev.toolgate.tools;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Paths that others chose, made safe to stand in an address. */
public final class PathText {
    private PathText() {}

    /** The path with every part encoded; empty if a part of it is none or would lead elsewhere. */
    public static Optional<String> encoded(String path) {
        String[] parts = path.split("/", -1);
        boolean strays = Arrays.stream(parts)
                .anyMatch(part -> part.isEmpty()
                        || part.equals(".")
                        || part.equals("..")
                        || part.chars().anyMatch(c -> Character.isISOControl(c) || "\\?#%;".indexOf(c) >= 0));
        return strays
                ? Optional.empty()
                : Optional.of(Arrays.stream(parts).map(PathText::encodedPart).collect(Collectors.joining("/")));
    }

    /** One part of a path, or a value of a query. */
    public static String encodedPart(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
