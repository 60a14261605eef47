package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Set;

/**
 * Files beneath a root where there is no {@code openat2}: walks down folder by folder, each opened
 * relative to the one before, and refuses every symbolic link, also those that stay inside. It looks
 * before it opens, so only somebody who swaps a file for a named pipe in between can make it wait.
 */
final class DirectoryStreamBeneath implements Beneath {
    private final Path root;
    private final AccountPowers powers;
    private final DirectoryStreamWrite writing;

    DirectoryStreamBeneath(Path root, Account account, PendingWrites pending) {
        this.root = root;
        this.powers = new AccountPowers(account);
        this.writing = new DirectoryStreamWrite(root, powers, pending);
    }

    @Override
    public OpenFile open(Target target, FileGuard gate) throws ToolFailure {
        try (FolderWalk walk = FolderWalk.from(root)) {
            requireName(target);
            walk.down(target.parent(), target);
            FileStat file = walk.look(target.name(), target);
            LinuxBeneath.requirePlain(file, target);
            admit(walk, target, gate);
            powers.requireRead(file, target.shown());
            SeekableByteChannel channel = walk.folder()
                    .newByteChannel(Path.of(target.name()), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            return new OpenFile(channel, file.size());
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    @Override
    public void write(Target target, byte[] content, Parents parents, FileGuard gate)
            throws ToolFailure, InterruptedException {
        requireName(target);
        writing.write(target, content, parents, gate);
    }

    @Override
    public void delete(Target target, FileGuard gate) throws ToolFailure {
        try (FolderWalk walk = FolderWalk.from(root)) {
            requireName(target);
            walk.down(target.parent(), target);
            FileStat file = walk.look(target.name(), target);
            if (file.kind() != FileKind.FILE) {
                throw FileFailures.wrongKind(file.kind(), target.shown());
            }
            admit(walk, target, gate);
            powers.requireRemoval(walk.self(target), file, target.shown());
            walk.folder().deleteFile(Path.of(target.name()));
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    @Override
    public Listing list(Target target, int limit, FileGuard gate) throws ToolFailure, InterruptedException {
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
            gate.admit(walk::place);
            powers.requireRead(walk.self(target), target.shown());
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

    // No link was followed, so the path that was walked is the real one.
    private static void admit(FolderWalk walk, Target target, FileGuard gate) throws ToolFailure {
        gate.admit(() -> walk.place().resolve(target.name()));
    }

    static ToolFailure unsupported() {
        return new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED,
                "This system has no safe way to open files beneath a folder, so file tools are off; use Linux or macOS");
    }
}
