package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Resolves links of a path. Only a hint, because a link may change at any time. */
final class RealPath {
    private RealPath() {}

    /** The path with all links of its existing part resolved; fails for a broken link. */
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
