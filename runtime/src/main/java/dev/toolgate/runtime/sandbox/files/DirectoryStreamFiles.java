package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Implementation without {@code openat2}: opens folder by folder, each relative to the one before, and refuses all
 * symbolic links, even those that stay inside. A file is checked before it is opened, so it can only block if it is
 * replaced by a named pipe in between.
 */
final class DirectoryStreamFiles implements RootedFiles {
    private final Path root;
    private final AccountPermissions permissions;
    private final DirectoryStreamWrite writing;

    DirectoryStreamFiles(Path root, Account account, PendingWrites pending) {
        this.root = root;
        this.permissions = new AccountPermissions(account);
        this.writing = new DirectoryStreamWrite(root, permissions, pending);
    }

    @Override
    public OpenFile open(Target target, FileGuard guard) throws ToolFailure {
        try (FolderWalk walk = FolderWalk.from(root)) {
            requireName(target);
            walk.down(target.parent(), target);
            FileStat file = walk.look(target.name(), target);
            LinuxRootedFiles.requirePlain(file, target);
            admit(walk, target, guard);
            permissions.requireRead(file, target.shown());
            SeekableByteChannel channel = walk.folder()
                    .newByteChannel(Path.of(target.name()), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            return new OpenFile(channel, file.size(), file.permissions());
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    @Override
    public void write(Target target, byte[] content, Parents parents, FileGuard guard)
            throws ToolFailure, InterruptedException {
        requireName(target);
        writing.write(target, content, parents, DirectoryStreamWrite.NEW_FILE_MODE, guard);
    }

    @Override
    public void delete(Target target, FileGuard guard) throws ToolFailure {
        try (FolderWalk walk = FolderWalk.from(root)) {
            requireName(target);
            walk.down(target.parent(), target);
            FileStat file = walk.look(target.name(), target);
            if (file.kind() != FileKind.FILE) {
                throw FileFailures.wrongKind(file.kind(), target.shown());
            }
            admit(walk, target, guard);
            permissions.requireRemoval(walk.self(target), file, target.shown());
            walk.folder().deleteFile(Path.of(target.name()));
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    // Java has no exchange of two names, so another process could still write between the check and the change.
    @Override
    public boolean swap(Target target, FileSwap swap, FileGuard guard) throws ToolFailure, InterruptedException {
        requireName(target);
        if (!target.relative().equals(swap.place()) || !isExpected(target, swap.expected(), guard)) {
            return false;
        }
        byte[] wanted = swap.wanted();
        if (wanted == null) {
            delete(target, guard);
        } else {
            writing.write(target, wanted, Parents.CREATE, swap.mode(), guard);
        }
        return true;
    }

    private boolean isExpected(Target target, byte @Nullable [] expected, FileGuard guard) throws ToolFailure {
        try (OpenFile file = open(target, guard)) {
            return expected != null
                    && file.size() == expected.length
                    && Arrays.equals(Channels.newInputStream(file.channel()).readNBytes(expected.length + 1), expected);
        } catch (ToolFailure failure) {
            if (failure.failure().code() == ErrorCode.FILE_NOT_FOUND) {
                return expected == null;
            }
            throw failure;
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    @Override
    public Listing list(Target target, int limit, FileGuard guard) throws ToolFailure, InterruptedException {
        try (FolderWalk walk = FolderWalk.from(root)) {
            if (!target.relative().isEmpty()) {
                walk.down(target.parent(), target);
                FileStat folder = walk.look(target.name(), target);
                if (folder.kind() != FileKind.FOLDER) {
                    throw folder.kind() == FileKind.LINK
                            ? FileFailures.outside(target.shown())
                            : FileFailures.notForListing(folder.kind(), target.shown());
                }
                walk.down(target.name(), target);
            }
            guard.admit(walk::place);
            permissions.requireRead(walk.self(target), target.shown());
            SecureDirectoryStream<Path> folder = walk.folder();
            return FolderReader.read(folder, limit, entry -> folder.getFileAttributeView(
                            entry.getFileName(), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes());
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    private static void requireName(Target target) throws ToolFailure {
        if (target.relative().isEmpty()) {
            throw FileFailures.wrongKind(FileKind.FOLDER, target.shown());
        }
    }

    // No link was followed, so the walked path is the real path.
    private static void admit(FolderWalk walk, Target target, FileGuard guard) throws ToolFailure {
        guard.admit(() -> walk.place().resolve(target.name()));
    }

    static ToolFailure unsupported() {
        return new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED,
                "File tools are disabled because this system cannot open files safely relative to a folder; use"
                        + " Linux or macOS");
    }
}
