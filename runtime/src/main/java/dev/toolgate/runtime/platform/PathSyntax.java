package dev.toolgate.runtime.platform;

import java.nio.charset.StandardCharsets;

/** Checks that hold for paths on every platform. */
final class PathSyntax {
    private PathSyntax() {}

    static void check(String path) throws InvalidPath {
        if (path.isEmpty()) {
            throw new InvalidPath("The path is empty");
        }
        if (path.indexOf('\0') >= 0) {
            throw new InvalidPath("The path contains a NUL character");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            throw new InvalidPath("The path contains an unpaired surrogate");
        }
    }
}
