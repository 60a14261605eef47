package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Where a path leads right now. Only a hint: a link may be another one a moment later. */
final class RealPath {
    private RealPath() {}

    /** The path with every link resolved as far as it exists; fails for a link that leads nowhere. */
    static Path of(Path path) throws IOException {
        Path existing = path;
        for (Path above = existing.getParent();
                above != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS);
                above = existing.getParent()) {
            existing = above;
        }
        return existing.toRealPath().resolve(existing.relativize(path));
    }
}
