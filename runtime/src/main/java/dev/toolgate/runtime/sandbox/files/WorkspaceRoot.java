package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * One of the folders of a workspace.
 *
 * @param given its path as it was configured
 * @param real the same path without links
 */
record WorkspaceRoot(Path given, Path real, Beneath files) {

    static WorkspaceRoot of(Path folder, Function<Path, Beneath> files) throws IOException {
        Path given = folder.toAbsolutePath().normalize();
        Path real = given.toRealPath();
        return new WorkspaceRoot(given, real, files.apply(real));
    }

    /** Both of its paths. */
    List<Path> names() {
        return List.of(given, real);
    }

    boolean contains(Path path) {
        return path.startsWith(given) || path.startsWith(real);
    }

    Path relativize(Path path) {
        return (path.startsWith(given) ? given : real).relativize(path);
    }
}
