package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * One root folder of a workspace.
 *
 * @param given its configured path
 * @param real the same path without links
 */
record WorkspaceRoot(Path given, Path real, RootedFiles files) {

    static WorkspaceRoot of(Path folder, Function<Path, RootedFiles> files) throws IOException {
        Path given = folder.toAbsolutePath().normalize();
        Path real = given.toRealPath();
        return new WorkspaceRoot(given, real, files.apply(real));
    }

    /** The configured and the real path. */
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
