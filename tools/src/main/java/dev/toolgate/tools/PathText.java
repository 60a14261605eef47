package dev.toolgate.tools;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Encodes untrusted paths for use in URLs. */
public final class PathText {
    private PathText() {}

    /** The path with every segment encoded; empty if a segment is empty, a dot segment or has special characters. */
    public static Optional<String> encoded(String path) {
        String[] parts = path.split("/", -1);
        boolean unsafe = Arrays.stream(parts)
                .anyMatch(part -> part.isEmpty()
                        || part.equals(".")
                        || part.equals("..")
                        || part.chars().anyMatch(c -> Character.isISOControl(c) || "\\?#%;".indexOf(c) >= 0));
        return unsafe
                ? Optional.empty()
                : Optional.of(Arrays.stream(parts).map(PathText::encodedPart).collect(Collectors.joining("/")));
    }

    /** Encodes one path segment or query value. */
    public static String encodedPart(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
