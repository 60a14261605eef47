package dev.toolgate.core.decision;

import dev.toolgate.core.call.WorkspaceKey;
import java.nio.file.Path;
import java.util.List;

/** Resolves the paths that callers write, in the workspace of their call. */
@FunctionalInterface
public interface PathResolver {
    /** For a gate without file tools: resolves nothing. */
    PathResolver NONE = (_, _) -> List.of();

    /**
     * Every location a path denotes: as written and with links resolved. Empty if it is outside every accessible folder
     * or not a valid path.
     */
    List<ResolvedPath> resolve(WorkspaceKey workspace, String path);

    /**
     * A file or folder beneath a root.
     *
     * @param rootNames all absolute paths of the root
     */
    record ResolvedPath(Path relative, List<Path> rootNames) {
        public ResolvedPath {
            rootNames = List.copyOf(rootNames);
        }
    }
}
