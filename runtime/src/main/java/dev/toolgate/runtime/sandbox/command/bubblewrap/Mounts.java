package dev.toolgate.runtime.sandbox.command.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds bubblewrap arguments for single mounts. */
final class Mounts {
    private Mounts() {}

    static List<String> bind(String how, Path path) {
        return List.of(how, path.toString(), path.toString());
    }

    /** Makes a file appear empty. */
    static List<String> hide(Path empty, Path file) {
        return List.of("--ro-bind", empty.toString(), file.toString());
    }

    static List<String> tmpfs(String path, String permissions, long bytes) {
        return List.of("--perms", permissions, "--size", Long.toString(bytes), "--tmpfs", path);
    }

    /** Makes a folder appear empty. */
    static List<String> emptyFolder(Path path) {
        List<String> arguments = new ArrayList<>(tmpfs(path.toString(), "0500", 4096));
        arguments.addAll(List.of("--remount-ro", path.toString()));
        return arguments;
    }
}
