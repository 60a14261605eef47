package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;

/** Opens the folder of a new file and creates missing parents. */
final class LinuxFolders {
    private static final int NEW_FOLDER_MODE = 0755;
    private static final int AS_FOLDER = LinuxFiles.O_PATH | LinuxFiles.O_DIRECTORY;

    private final LinuxRoot root;
    private final AccountPermissions permissions;

    LinuxFolders(LinuxRoot root, AccountPermissions permissions) {
        this.root = root;
        this.permissions = permissions;
    }

    /** The open folder of the target. */
    int reach(LinuxFiles os, int rootFolder, Target target, Parents parents, FileGuard guard) throws ToolFailure {
        int folder = root.tryReach(os, rootFolder, target.parent(), AS_FOLDER);
        if (folder == -Errno.ENOENT) {
            return switch (parents) {
                case CREATE -> create(os, rootFolder, target, guard);
                case REQUIRE ->
                    throw new ToolFailure(
                            ErrorCode.FILE_NOT_FOUND,
                            "file not found: the folder of " + target.shown()
                                    + " does not exist; create it or set createDirectories to true");
            };
        }
        if (folder < 0) {
            throw Errno.failure(folder, target.shown());
        }
        return folder;
    }

    private int create(LinuxFiles os, int rootFolder, Target target, FileGuard guard) throws ToolFailure {
        Path parent = Path.of(target.parent());
        int depth = parent.getNameCount() - 1;
        int folder = rootFolder;
        while (depth > 0) {
            int existing =
                    root.tryReach(os, rootFolder, parent.subpath(0, depth).toString(), AS_FOLDER);
            if (existing >= 0) {
                folder = existing;
                break;
            }
            if (existing != -Errno.ENOENT) {
                throw Errno.failure(existing, target.shown());
            }
            depth--;
        }
        Path missing = parent.subpath(depth, parent.getNameCount());
        Path real = os.pathOf(folder).resolve(missing).resolve(target.name());
        guard.admit(() -> real);
        Path deepest = os.pathOf(folder).resolve(".");
        root.requireSearchablePath(os, rootFolder, () -> deepest, permissions, target);
        for (Path name : missing) {
            folder = step(os, folder, name.toString(), target);
        }
        return folder;
    }

    private int step(LinuxFiles os, int folder, String name, Target target) throws ToolFailure {
        permissions.requireChange(root.look(os, folder, target), target.shown());
        int made = os.makeFolderAt(folder, name, NEW_FOLDER_MODE);
        if (made == -Errno.EEXIST && os.lookAt(folder, name) == 0 && os.stat().kind() == FileKind.LINK) {
            throw FileFailures.danglingLink(target.shown());
        }
        if (made < 0 && made != -Errno.EEXIST) {
            throw Errno.failure(made, target.shown());
        }
        int next = os.openBeneath(folder, name, AS_FOLDER | LinuxFiles.O_NOFOLLOW);
        if (next < 0) {
            throw Errno.failure(next, target.shown());
        }
        if (made == 0 && permissions.enforced()) {
            int given = os.changeOwner(
                    next, permissions.account().uid(), permissions.account().gid());
            if (given < 0) {
                throw Errno.failure(given, target.shown());
            }
        }
        return next;
    }
}
