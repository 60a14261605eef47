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
 * Creates or replaces a file: finds the folder and holds on to it, writes a new file beside the
 * target, then renames it onto the target. From then on no link can lead the write elsewhere.
 */
final class LinuxWrite {
    private static final int MOST_ATTEMPTS = 64;
    private static final int NEW_FILE_MODE = 0644;
    private static final int PRIVATE_MODE = 0600;

    private final LinuxRoot root;
    private final AccountPowers powers;
    private final PendingWrites pending;
    private final LinuxFolders folders;

    LinuxWrite(LinuxRoot root, AccountPowers powers, PendingWrites pending) {
        this.root = root;
        this.powers = powers;
        this.pending = pending;
        this.folders = new LinuxFolders(root, powers);
    }

    /** Where the file goes: a folder that is held open, the name in it, and what has that name now. */
    private record Place(
            int folder, String name, Path real, @Nullable FileStat old) {}

    void write(Target target, byte[] content, Parents parents, FileGuard gate)
            throws ToolFailure, InterruptedException {
        if (target.relative().isEmpty()) {
            throw FileFailures.wrongKind(FileKind.FOLDER, target.shown());
        }
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            Place place = find(os, rootFolder, target, parents, gate);
            gate.admit(place::real);
            requirePowers(os, rootFolder, place, target);
            replace(os, place, content, target);
        }
    }

    private Place find(LinuxFiles os, int rootFolder, Target target, Parents parents, FileGuard gate)
            throws ToolFailure {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            int existing = root.tryReach(os, rootFolder, target.relative(), LinuxFiles.O_PATH);
            if (existing < 0 && existing != -Errno.ENOENT) {
                throw Errno.failure(existing, target.shown());
            }
            Place place = existing >= 0
                    ? holding(os, rootFolder, existing, target)
                    : missing(os, rootFolder, target, parents, gate);
            if (place != null) {
                return place;
            }
        }
        throw FileFailures.restless(target.shown());
    }

    // The target may have been reached through a link, so its folder is the one it really is in.
    private @Nullable Place holding(LinuxFiles os, int rootFolder, int existing, Target target) throws ToolFailure {
        FileStat old = root.look(os, existing, target);
        LinuxBeneath.requirePlain(old, target);
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

    private @Nullable Place missing(LinuxFiles os, int rootFolder, Target target, Parents parents, FileGuard gate)
            throws ToolFailure {
        int folder = folders.reach(os, rootFolder, target, parents, gate);
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

    private void requirePowers(LinuxFiles os, int rootFolder, Place place, Target target) throws ToolFailure {
        FileStat folder = root.look(os, place.folder(), target);
        FileStat old = place.old();
        if (old == null) {
            powers.requireChange(folder, target.shown());
        } else {
            powers.requireRemoval(folder, old, target.shown());
            powers.requireWrite(old, target.shown());
            // Replacing would get around the protection of a file that is read-only for us.
            if (os.accessForWritingAt(place.folder(), place.name()) < 0) {
                throw FileFailures.notPermitted(target.shown());
            }
        }
        root.requireWay(os, rootFolder, place::real, powers, target);
    }

    private void replace(LinuxFiles os, Place place, byte[] content, Target target)
            throws ToolFailure, InterruptedException {
        Path folder = place.real().resolveSibling("");
        try (PendingWrites.Entry entry = pending.begin(root.path(), folder)) {
            int created = require(os.createAt(place.folder(), entry.temporary(), PRIVATE_MODE), target);
            try {
                fill(os, created, place.old(), content, target);
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

    private void fill(LinuxFiles os, int created, @Nullable FileStat old, byte[] content, Target target)
            throws ToolFailure, IOException {
        try (FileChannel channel = FileChannel.open(LinuxBeneath.handlePath(created), StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            if (powers.enforced()) {
                require(
                        os.changeOwner(
                                created,
                                powers.account().uid(),
                                powers.account().gid()),
                        target);
            }
            require(os.changeMode(created, old == null ? NEW_FILE_MODE : old.permissions()), target);
            channel.force(true);
        }
    }

    // A folder that may be changed but not read cannot be synced; the rename is atomic all the same.
    private static void makeDurable(LinuxFiles os, int folder) {
        int readable = os.openBeneath(folder, "", LinuxFiles.O_RDONLY | LinuxFiles.O_DIRECTORY);
        if (readable >= 0) {
            os.sync(readable);
        }
    }

    private static int require(int result, Target target) throws ToolFailure {
        if (result < 0) {
            throw Errno.failure(result, target.shown());
        }
        return result;
    }
}
