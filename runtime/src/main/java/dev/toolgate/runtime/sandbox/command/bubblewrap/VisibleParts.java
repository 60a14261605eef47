package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.policy.PathPatterns;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.WorkspaceView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The visible part of a workspace under a policy, as files and folders to mount. Only reliable while no command runs in
 * the workspace.
 *
 * @param shown the visible files and folders; the workspace root if everything is visible
 * @param covered files and folders to mask, in the workspace and in the system
 */
record VisibleParts(List<BindSource> shown, List<BindSource> covered, Writing writing, Map<Path, Path> outputs) {
    private static final Path ETC = Path.of("/etc");

    /** Where a command may write. */
    enum Writing {
        /** Everything visible. */
        EVERYWHERE,
        /** Only the outputs. */
        OUTPUTS
    }

    /** The whole workspace. */
    static VisibleParts whole(WorkspaceShape workspace) {
        return new VisibleParts(List.of(workspace.root()), List.of(), Writing.EVERYWHERE, Map.of());
    }

    /**
     * The visible part for a view.
     *
     * @param system system folders that commands see
     */
    static VisibleParts of(WorkspaceShape workspace, WorkspaceView view, List<Path> system) throws ToolFailure {
        Path input = view.input();
        if (input != null) {
            return new VisibleParts(
                    List.of(BindSource.withoutLinks(input)), List.of(), Writing.OUTPUTS, view.outputs());
        }
        List<BindSource> covered = new ArrayList<>();
        for (String pattern : view.blockedPaths()) {
            Path path = place(pattern, workspace.path());
            if (workspace.path().startsWith(path)) {
                throw BindSource.refusal("No command can run here because the policy blocks the whole workspace");
            }
            if (path.startsWith(workspace.path()) || path.startsWith(ETC)) {
                if (exists(path)) {
                    covered.add(BindSource.withoutLinks(path));
                } else if (path.startsWith(workspace.path())) {
                    throw BindSource.refusal("A command cannot be prevented from creating " + path + ", which the"
                            + " policy blocks, because it does not exist yet; create it (an empty folder is"
                            + " enough) or use the file tools");
                }
            } else if (system.stream().anyMatch(folder -> folder.startsWith(path) || path.startsWith(folder))) {
                throw BindSource.refusal("A command cannot be denied access to " + path + ", which the policy blocks,"
                        + " because commands need it; lift that limit for commands");
            }
        }
        return new VisibleParts(shown(workspace, view), List.copyOf(covered), Writing.EVERYWHERE, Map.of());
    }

    private static List<BindSource> shown(WorkspaceShape workspace, WorkspaceView view) throws ToolFailure {
        List<String> allowed = view.allowedPaths();
        if (allowed == null) {
            return List.of(workspace.root());
        }
        List<BindSource> shown = new ArrayList<>();
        for (String pattern : allowed) {
            Path path = place(pattern, workspace.path());
            if (workspace.path().startsWith(path)) {
                return List.of(workspace.root());
            }
            if (path.startsWith(workspace.path()) && exists(path)) {
                shown.add(BindSource.withoutLinks(path));
            }
        }
        return List.copyOf(shown);
    }

    /** The file or folder of a pattern, relative to the workspace's real path. */
    private static Path place(String pattern, Path workspace) throws ToolFailure {
        String plain = pattern.equals("**") ? "" : pattern.endsWith("/**") ? stem(pattern) : pattern;
        if (PathPatterns.isGlob(plain)) {
            throw BindSource.refusal("A command can be limited to files, folders and folder/**, but not to the"
                    + " policy's path '" + pattern + "'; use the file tools, or lift that limit for commands");
        }
        try {
            Path path = workspace.resolve(plain).normalize();
            return path.startsWith(workspace) || workspace.startsWith(path) ? path : renamed(path, workspace);
        } catch (InvalidPathException | IOException unreadable) {
            throw BindSource.refusal(
                    "The policy's path '" + pattern + "' is not a valid path, so no command can" + " run; correct it");
        }
    }

    private static String stem(String pattern) {
        String stem = pattern.substring(0, pattern.length() - "/**".length());
        return stem.isEmpty() ? "/" : stem;
    }

    // The pattern may name the workspace through a link; links beneath it are not followed.
    private static Path renamed(Path path, Path workspace) throws IOException {
        for (int names = 1; names <= path.getNameCount(); names++) {
            Path above = path.getRoot().resolve(path.subpath(0, names));
            if (!Files.exists(above)) {
                return path;
            }
            if (above.toRealPath().equals(workspace)) {
                return workspace.resolve(above.relativize(path));
            }
        }
        return path;
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether a path is visible. */
    boolean shows(Path path) {
        return shown.stream().anyMatch(part -> path.startsWith(part.path()));
    }
}
