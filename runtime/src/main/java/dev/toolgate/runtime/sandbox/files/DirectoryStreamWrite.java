package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates or replaces a file without {@code openat2}, in a folder that is held open. */
final class DirectoryStreamWrite {
    static final int NEW_FILE_MODE = 0644;

    private final Path root;
    private final AccountPermissions permissions;
    private final PendingWrites pending;

    DirectoryStreamWrite(Path root, AccountPermissions permissions, PendingWrites pending) {
        this.root = root;
        this.permissions = permissions;
        this.pending = pending;
    }

    void write(Target target, byte[] content, Parents parents, int newFileMode, FileGuard guard)
            throws ToolFailure, InterruptedException {
        try (FolderWalk walk = FolderWalk.from(root)) {
            guard.admit(() -> walk.place().resolve(target.relative()));
            goTo(walk, target, parents);
            FileStat old = existing(walk, target);
            FileStat folder = walk.self(target);
            if (old == null) {
                permissions.requireChange(folder, target.shown());
            } else {
                LinuxRootedFiles.requirePlain(old, target);
                permissions.requireRemoval(folder, old, target.shown());
                permissions.requireWrite(old, target.shown());
                if (!Files.isWritable(walk.place().resolve(target.name()))) {
                    throw FileFailures.notPermitted(target.shown());
                }
            }
            replace(walk, target, content, old == null ? newFileMode : old.permissions());
        } catch (ClosedByInterruptException stopped) {
            Thread.interrupted();
            throw new InterruptedException();
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    private void goTo(FolderWalk walk, Target target, Parents parents) throws IOException, ToolFailure {
        if (target.parent().isEmpty()) {
            return;
        }
        for (Path name : Path.of(target.parent())) {
            try {
                walk.down(name.toString(), target);
            } catch (NoSuchFileException missing) {
                switch (parents) {
                    case CREATE -> makeFolder(walk, name, target);
                    case REQUIRE ->
                        throw new ToolFailure(
                                ErrorCode.FILE_NOT_FOUND,
                                "file not found: the folder of " + target.shown()
                                        + " does not exist; create it or set createDirectories to true");
                }
                walk.down(name.toString(), target);
            }
        }
    }

    // Java cannot create a folder relative to an open one, but it can move one: so it is created in the trusted root
    // and moved.
    private void makeFolder(FolderWalk walk, Path name, Target target) throws IOException, ToolFailure {
        permissions.requireChange(walk.self(target), target.shown());
        Path made = walk.root().resolve(PendingWrites.temporaryName());
        Files.createDirectory(made);
        try (FolderWalk top = FolderWalk.from(walk.root())) {
            give(top, made.getFileName());
            top.folder().move(made.getFileName(), walk.folder(), name);
        } catch (IOException | ToolFailure broken) {
            Files.deleteIfExists(made);
            throw broken;
        }
    }

    private static @Nullable FileStat existing(FolderWalk walk, Target target) throws IOException, ToolFailure {
        try {
            return walk.look(target.name(), target);
        } catch (NoSuchFileException none) {
            return null;
        }
    }

    private void replace(FolderWalk walk, Target target, byte[] content, int mode) throws IOException, ToolFailure {
        try (PendingWrites.Entry entry = pending.begin(root, walk.place())) {
            Path temporary = Path.of(entry.temporary());
            try {
                fill(walk, temporary, content, mode);
                walk.folder().move(temporary, walk.folder(), Path.of(target.name()));
            } catch (IOException | RuntimeException broken) {
                remove(walk, temporary, broken);
                throw broken;
            }
        }
    }

    // The caller gets the original exception.
    private static void remove(FolderWalk walk, Path temporary, Exception broken) {
        try {
            walk.folder().deleteFile(temporary);
        } catch (IOException alsoBroken) {
            broken.addSuppressed(alsoBroken);
        }
    }

    private void fill(FolderWalk walk, Path temporary, byte[] content, int mode) throws IOException {
        try (SeekableByteChannel channel = walk.folder()
                .newByteChannel(
                        temporary,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            give(walk, temporary);
            view(walk, temporary).setPermissions(permissions(mode));
            if (channel instanceof FileChannel file) {
                file.force(true);
            }
        }
    }

    private void give(FolderWalk walk, Path name) throws IOException {
        if (permissions.enforced()) {
            var users = name.getFileSystem().getUserPrincipalLookupService();
            view(walk, name)
                    .setOwner(users.lookupPrincipalByName(permissions.account().name()));
            view(walk, name)
                    .setGroup(users.lookupPrincipalByGroupName(
                            Integer.toString(permissions.account().gid())));
        }
    }

    private static PosixFileAttributeView view(FolderWalk walk, Path name) {
        return walk.folder().getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values(); // in bit order, highest first
        for (int bit = 0; bit < all.length; bit++) {
            if ((mode & 0x100 >> bit) != 0) {
                permissions.add(all[bit]);
            }
        }
        return permissions;
    }
}
