package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The root folder and the steps every operation beneath it begins with. */
final class LinuxRoot {
    private static final int MOST_ATTEMPTS = 64;

    private final Path path;

    LinuxRoot(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** Opened anew for every operation, so a root that was removed and made again keeps working. */
    int open(LinuxFiles os) throws ToolFailure {
        int folder = os.open(path, LinuxFiles.O_PATH | LinuxFiles.O_DIRECTORY);
        if (folder < 0) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The workspace folder " + path + " cannot be opened; create it or check its permissions");
        }
        return folder;
    }

    /** Opens what is there, or says why not. */
    int reach(LinuxFiles os, int root, Target target, int flags) throws ToolFailure {
        int descriptor = tryReach(os, root, target.relative(), flags);
        if (descriptor < 0) {
            throw Errno.failure(descriptor, target.shown());
        }
        return descriptor;
    }

    /** Opens what is there; a negative {@link Errno} if that cannot be done. */
    int tryReach(LinuxFiles os, int root, String relative, int flags) {
        int descriptor = openPatiently(os, root, relative, flags);
        return descriptor == -Errno.EXDEV ? reachThroughAbsoluteLink(os, root, relative, flags) : descriptor;
    }

    // The kernel refuses absolute links even if they point into the root. Where such a link leads to
    // is only a hint: the path it gives is opened beneath the root like any other.
    private int reachThroughAbsoluteLink(LinuxFiles os, int root, String relative, int flags) {
        try {
            Path real = RealPath.of(path.resolve(relative));
            Path realRoot = os.pathOf(root);
            return real.startsWith(realRoot)
                    ? openPatiently(os, root, realRoot.relativize(real).toString(), flags)
                    : -Errno.EXDEV;
        } catch (IOException unreachable) {
            return -Errno.EXDEV;
        }
    }

    // The kernel answers EAGAIN when something was renamed while it checked the way.
    private static int openPatiently(LinuxFiles os, int root, String relative, int flags) {
        int descriptor = -Errno.EAGAIN;
        for (int attempt = 0;
                attempt < MOST_ATTEMPTS && (descriptor == -Errno.EAGAIN || descriptor == -Errno.EINTR);
                attempt++) {
            descriptor = os.openBeneath(root, relative, flags);
        }
        return descriptor;
    }

    FileStat look(LinuxFiles os, int descriptor, Target target) throws ToolFailure {
        return seen(os, os.look(descriptor), target);
    }

    FileStat lookAt(LinuxFiles os, int folder, Target target) throws ToolFailure {
        return seen(os, os.lookAt(folder, target.name()), target);
    }

    private static FileStat seen(LinuxFiles os, int result, Target target) throws ToolFailure {
        if (result < 0) {
            throw Errno.failure(result, target.shown());
        }
        return os.stat();
    }

    /** As root: checks that the account could have walked through every folder down to the file. */
    void requireWay(LinuxFiles os, int root, Supplier<Path> real, AccountPowers powers, Target target)
            throws ToolFailure {
        if (!powers.enforced()) {
            return;
        }
        powers.requireSearch(look(os, root, target), target.shown());
        Path way = os.pathOf(root).relativize(real.get());
        for (int depth = 1; depth < way.getNameCount(); depth++) {
            String folder = way.subpath(0, depth).toString();
            powers.requireSearch(seen(os, os.lookAt(root, folder), target), target.shown());
        }
    }
}
