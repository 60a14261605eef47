package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The root folder and the steps common to all operations beneath it. */
final class LinuxRoot {
    private static final int MAX_ATTEMPTS = 64;

    private final Path path;

    LinuxRoot(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** Opened for every operation, so that a root that was removed and recreated keeps working. */
    int open(LinuxFiles os) throws ToolFailure {
        int folder = os.open(path, LinuxFiles.O_PATH | LinuxFiles.O_DIRECTORY);
        if (folder < 0) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The workspace folder " + path + " cannot be opened; create it or check its permissions");
        }
        return folder;
    }

    /** Opens the target; fails with the reason. */
    int reach(LinuxFiles os, int root, Target target, int flags) throws ToolFailure {
        int descriptor = tryReach(os, root, target.relative(), flags);
        if (descriptor < 0) {
            throw Errno.failure(descriptor, target.shown());
        }
        return descriptor;
    }

    /** Opens a path; returns a negative {@link Errno} on failure. */
    int tryReach(LinuxFiles os, int root, String relative, int flags) {
        int descriptor = openWithRetry(os, root, relative, flags);
        return descriptor == -Errno.EXDEV ? reachThroughAbsoluteLink(os, root, relative, flags) : descriptor;
    }

    // The kernel refuses absolute links even if they point into the root. The resolved path is only a hint: it is
    // opened beneath the root like any other.
    private int reachThroughAbsoluteLink(LinuxFiles os, int root, String relative, int flags) {
        try {
            Path real = RealPath.of(path.resolve(relative));
            Path realRoot = os.pathOf(root);
            return real.startsWith(realRoot)
                    ? openWithRetry(os, root, realRoot.relativize(real).toString(), flags)
                    : -Errno.EXDEV;
        } catch (IOException unreachable) {
            return -Errno.EXDEV;
        }
    }

    // The kernel returns EAGAIN if a rename happened while it resolved the path.
    private static int openWithRetry(LinuxFiles os, int root, String relative, int flags) {
        int descriptor = -Errno.EAGAIN;
        for (int attempt = 0;
                attempt < MAX_ATTEMPTS && (descriptor == -Errno.EAGAIN || descriptor == -Errno.EINTR);
                attempt++) {
            descriptor = os.openBeneath(root, relative, flags);
        }
        return descriptor;
    }

    FileStat look(LinuxFiles os, int descriptor, Target target) throws ToolFailure {
        return statOrThrow(os, os.look(descriptor), target);
    }

    FileStat lookAt(LinuxFiles os, int folder, Target target) throws ToolFailure {
        return statOrThrow(os, os.lookAt(folder, target.name()), target);
    }

    private static FileStat statOrThrow(LinuxFiles os, int result, Target target) throws ToolFailure {
        if (result < 0) {
            throw Errno.failure(result, target.shown());
        }
        return os.stat();
    }

    /** If this process is root: checks that the account could traverse every folder down to the file. */
    void requireSearchablePath(
            LinuxFiles os, int root, Supplier<Path> real, AccountPermissions permissions, Target target)
            throws ToolFailure {
        if (!permissions.enforced()) {
            return;
        }
        permissions.requireSearch(look(os, root, target), target.shown());
        Path relative = os.pathOf(root).relativize(real.get());
        for (int depth = 1; depth < relative.getNameCount(); depth++) {
            String folder = relative.subpath(0, depth).toString();
            permissions.requireSearch(statOrThrow(os, os.lookAt(root, folder), target), target.shown());
        }
    }
}
