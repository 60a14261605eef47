package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Creates or replaces a file: opens the folder, writes a temporary file in it, then renames it to the target. Because
 * the folder stays open, no link can redirect the write.
 */
final class LinuxWrite {
    private static final int MAX_ATTEMPTS = 64;
    private static final int NEW_FILE_MODE = 0644;
    static final int PRIVATE_MODE = 0600;

    private final LinuxRoot root;
    private final AccountPermissions permissions;
    private final PendingWrites pending;
    private final LinuxFolders folders;

    LinuxWrite(LinuxRoot root, AccountPermissions permissions, PendingWrites pending) {
        this.root = root;
        this.permissions = permissions;
        this.pending = pending;
        this.folders = new LinuxFolders(root, permissions);
    }

    /** The destination: the open folder, the name in it, and the existing file of that name. */
    record Place(
            int folder, String name, Path real, @Nullable FileStat old) {}

    void write(Target target, byte[] content, Parents parents, FileGuard guard)
            throws ToolFailure, InterruptedException {
        if (target.relative().isEmpty()) {
            throw FileFailures.wrongKind(FileKind.FOLDER, target.shown());
        }
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            Place place = find(os, rootFolder, target, parents, guard);
            guard.admit(place::real);
            requirePermissions(os, rootFolder, place, target);
            replace(os, place, content, target);
        }
    }

    Place find(LinuxFiles os, int rootFolder, Target target, Parents parents, FileGuard guard) throws ToolFailure {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int existing = root.tryReach(os, rootFolder, target.relative(), LinuxFiles.O_PATH);
            if (existing < 0 && existing != -Errno.ENOENT) {
                throw Errno.failure(existing, target.shown());
            }
            Place place = existing >= 0
                    ? holding(os, rootFolder, existing, target)
                    : missing(os, rootFolder, target, parents, guard);
            if (place != null) {
                return place;
            }
        }
        throw FileFailures.changedWhileOpening(target.shown());
    }

    // The target may have been reached through a link, so its real folder is used.
    private @Nullable Place holding(LinuxFiles os, int rootFolder, int existing, Target target) throws ToolFailure {
        FileStat old = root.look(os, existing, target);
        LinuxRootedFiles.requirePlain(old, target);
        Path real = os.pathOf(existing);
        Path realRoot = os.pathOf(rootFolder);
        if (!real.startsWith(realRoot)) {
            return null;
        }
        Target found = new Target(realRoot.relativize(real).toString(), target.shown());
        int folder = root.tryReach(os, rootFolder, found.parent(), LinuxFiles.O_PATH | LinuxFiles.O_DIRECTORY);
        boolean still =
                folder >= 0 && os.lookAt(folder, found.name()) == 0 && os.stat().isSameFileAs(old);
        return still ? new Place(folder, found.name(), os.pathOf(folder).resolve(found.name()), old) : null;
    }

    private @Nullable Place missing(LinuxFiles os, int rootFolder, Target target, Parents parents, FileGuard guard)
            throws ToolFailure {
        int folder = folders.reach(os, rootFolder, target, parents, guard);
        int result = os.lookAt(folder, target.name());
        if (result == 0 && os.stat().kind() == FileKind.LINK) {
            throw FileFailures.danglingLink(target.shown());
        }
        if (result == 0) {
            return null;
        }
        if (result != -Errno.ENOENT) {
            throw Errno.failure(result, target.shown());
        }
        return new Place(folder, target.name(), os.pathOf(folder).resolve(target.name()), null);
    }

    void requirePermissions(LinuxFiles os, int rootFolder, Place place, Target target) throws ToolFailure {
        FileStat folder = root.look(os, place.folder(), target);
        FileStat old = place.old();
        if (old == null) {
            permissions.requireChange(folder, target.shown());
        } else {
            permissions.requireRemoval(folder, old, target.shown());
            permissions.requireWrite(old, target.shown());
            // Replacing would bypass the protection of a file that is read-only for this process.
            if (os.accessForWritingAt(place.folder(), place.name()) < 0) {
                throw FileFailures.notPermitted(target.shown());
            }
        }
        root.requireSearchablePath(os, rootFolder, place::real, permissions, target);
    }

    private void replace(LinuxFiles os, Place place, byte[] content, Target target)
            throws ToolFailure, InterruptedException {
        Path folder = place.real().resolveSibling("");
        try (PendingWrites.Entry entry = pending.begin(root.path(), folder)) {
            int created = require(os.createAt(place.folder(), entry.temporary(), PRIVATE_MODE), target);
            try {
                FileStat old = place.old();
                fill(os, created, old == null ? NEW_FILE_MODE : old.permissions(), content, target);
                require(os.renameAt(place.folder(), entry.temporary(), place.name()), target);
            } catch (ToolFailure | IOException | RuntimeException broken) {
                os.unlinkAt(place.folder(), entry.temporary());
                throw broken;
            }
            makeDurable(os, place.folder());
        } catch (ClosedByInterruptException stopped) {
            Thread.interrupted();
            throw new InterruptedException();
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    void fill(LinuxFiles os, int created, int mode, byte[] content, Target target) throws ToolFailure, IOException {
        try (FileChannel channel = FileChannel.open(LinuxRootedFiles.handlePath(created), StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            if (permissions.enforced()) {
                require(
                        os.changeOwner(
                                created,
                                permissions.account().uid(),
                                permissions.account().gid()),
                        target);
            }
            require(os.changeMode(created, mode), target);
            channel.force(true);
        }
    }

    // A folder that is writable but not readable cannot be synced; the rename is atomic nevertheless.
    static void makeDurable(LinuxFiles os, int folder) {
        int readable = os.openBeneath(folder, "", LinuxFiles.O_RDONLY | LinuxFiles.O_DIRECTORY);
        if (readable >= 0) {
            os.sync(readable);
        }
    }

    static int require(int result, Target target) throws ToolFailure {
        if (result < 0) {
            throw Errno.failure(result, target.shown());
        }
        return result;
    }
}
