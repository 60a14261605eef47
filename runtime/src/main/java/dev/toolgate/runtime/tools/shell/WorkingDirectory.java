package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.InvalidPath;
import dev.toolgate.runtime.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Resolves the working directory of a command, which is always the workspace or a folder in it. */
record WorkingDirectory(Path workspace, Path cwd) {

    /** Resolves both to real paths. */
    static WorkingDirectory find(Path workspace, @Nullable String asked, Platform platform) throws ToolFailure {
        Path root = realRoot(workspace);
        if (asked == null) {
            return new WorkingDirectory(root, root);
        }
        Path path = inside(workspace, root, normal(asked, root, platform), asked);
        Path real = real(path, root, asked);
        if (!real.startsWith(root)) {
            throw outside(asked);
        }
        if (!Files.isDirectory(real)) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST, "Field 'cwd' must name a folder, and '" + asked + "' is not one");
        }
        return new WorkingDirectory(root, real);
    }

    private static Path realRoot(Path workspace) throws ToolFailure {
        try {
            return workspace.toRealPath();
        } catch (IOException missing) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The workspace folder does not exist or cannot be reached; create it, then try again");
        }
    }

    private static Path normal(String asked, Path root, Platform platform) throws ToolFailure {
        try {
            return Path.of(platform.normalize(asked, root.toString()));
        } catch (InvalidPath | InvalidPathException unusable) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST, "Field 'cwd' is not a usable path: " + unusable.getMessage());
        }
    }

    // The workspace may be configured through a link, and callers may use either path.
    private static Path inside(Path workspace, Path root, Path path, String asked) throws ToolFailure {
        Path named = workspace.toAbsolutePath().normalize();
        if (path.startsWith(root)) {
            return path;
        }
        if (path.startsWith(named)) {
            return root.resolve(named.relativize(path));
        }
        throw outside(asked);
    }

    private static Path real(Path path, Path root, String asked) throws ToolFailure {
        try {
            return path.toRealPath();
        } catch (IOException unreachable) {
            // A link out of the workspace must not reveal whether its target exists.
            if (crossesLink(path, root)) {
                throw outside(asked);
            }
            throw new ToolFailure(
                    ErrorCode.FILE_NOT_FOUND, "The working directory '" + asked + "' does not exist in the workspace");
        }
    }

    private static boolean crossesLink(Path path, Path root) {
        Path step = root;
        for (Path name : root.relativize(path)) {
            step = step.resolve(name);
            if (Files.isSymbolicLink(step)) {
                return true;
            }
        }
        return false;
    }

    private static ToolFailure outside(String asked) {
        return new ToolFailure(
                ErrorCode.PERMISSION_DENIED,
                "The working directory '" + asked + "' is outside the workspace; choose a folder inside it");
    }
}
