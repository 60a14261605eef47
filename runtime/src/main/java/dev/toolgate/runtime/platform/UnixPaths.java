package dev.toolgate.runtime.platform;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Path notation with slashes, as Linux and macOS share it. */
final class UnixPaths {
    private UnixPaths() {}

    static String normalize(String path, String base, String home, int maxBytes) throws InvalidPath {
        if (path.isEmpty()) {
            throw new InvalidPath("The path is empty");
        }
        if (path.indexOf('\0') >= 0) {
            throw new InvalidPath("The path contains a NUL character");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            throw new InvalidPath("The path contains half of a character");
        }
        String whole = expandHome(path, home);
        if (!whole.startsWith("/")) {
            whole = base + "/" + whole;
        }
        String normal = resolveDots(whole);
        if (normal.getBytes(StandardCharsets.UTF_8).length >= maxBytes) {
            throw new InvalidPath("The path is longer than " + (maxBytes - 1) + " bytes");
        }
        return normal;
    }

    private static String expandHome(String path, String home) {
        return path.equals("~") || path.startsWith("~/") ? home + path.substring(1) : path;
    }

    private static String resolveDots(String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("/")) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }
}
