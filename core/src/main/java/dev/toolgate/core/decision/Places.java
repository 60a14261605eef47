package dev.toolgate.core.decision;

import dev.toolgate.core.call.WorkspaceKey;
import java.nio.file.Path;
import java.util.List;

/** Knows where the paths that callers write lead in the workspace of their call. */
@FunctionalInterface
public interface Places {
    /** For a gate whose tools touch no files: leads nowhere. */
    Places NONE = (_, _) -> List.of();

    /**
     * Everything a path stands for: as it is written, and with its links resolved. Empty if it lies
     * outside every folder that tools may touch, or cannot be read as a path.
     */
    List<Place> find(WorkspaceKey workspace, String path);

    /**
     * A file or folder beneath a root.
     *
     * @param rootNames each of the names the root has, absolute
     */
    record Place(Path relative, List<Path> rootNames) {
        public Place {
            rootNames = List.copyOf(rootNames);
        }
    }
}
