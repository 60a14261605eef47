package dev.toolgate.runtime.platform;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** The path notation of Linux and macOS. */
final class UnixPaths {
    private static final int NAME_MAX = 255;

    private UnixPaths() {}

    static boolean isAbsolute(String path) {
        return path.startsWith("/") || startsAtHome(path);
    }

    static String normalize(String path, String base, String home, int maxBytes) throws InvalidPath {
        PathSyntax.check(path);
        String whole = startsAtHome(path) ? home + path.substring(1) : path;
        if (!whole.startsWith("/")) {
            if (!base.startsWith("/")) {
                throw new IllegalArgumentException("The base of a path must be absolute.");
            }
            whole = base + "/" + whole;
        }
        String normal = resolveDots(whole);
        if (bytes(normal) >= maxBytes) {
            throw new InvalidPath("The path is longer than " + (maxBytes - 1) + " bytes");
        }
        return normal;
    }

    private static boolean startsAtHome(String path) {
        return path.equals("~") || path.startsWith("~/");
    }

    private static String resolveDots(String path) throws InvalidPath {
        Deque<String> names = new ArrayDeque<>();
        for (String name : path.split("/")) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                if (bytes(name) > NAME_MAX) {
                    throw new InvalidPath("A name in the path is longer than " + NAME_MAX + " bytes");
                }
                names.addLast(name);
            }
        }
        return "/" + String.join("/", names);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
