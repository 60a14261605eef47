package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.nio.file.Path;

/**
 * Accesses files beneath a root folder. Nothing outside the root is ever read, changed, removed or listed, even if
 * folders are concurrently replaced by links. Only regular files are accepted: named pipes, devices, sockets and hard
 * links are refused.
 */
public interface RootedFiles {

    /** Opens a file for reading. The caller closes it. */
    OpenFile open(Target target, FileGuard guard) throws ToolFailure;

    /** Creates or replaces a file atomically. */
    void write(Target target, byte[] content, Parents parents, FileGuard guard)
            throws ToolFailure, InterruptedException;

    /** Removes a file; never a folder. */
    void delete(Target target, FileGuard guard) throws ToolFailure;

    /**
     * Replaces, removes or creates a file, if it still has the expected content; a concurrent write is never lost.
     *
     * @return whether the change was made; if not, the file is unchanged
     */
    boolean swap(Target target, FileSwap swap, FileGuard guard) throws ToolFailure, InterruptedException;

    /** Lists a folder by name, up to a maximum number of entries. */
    Listing list(Target target, int limit, FileGuard guard) throws ToolFailure, InterruptedException;

    /** The best implementation for this machine. New files belong to the account, even if this process is root. */
    static RootedFiles at(Path root, Account account, PendingWrites pending) {
        return LinuxRootedFiles.isSupported()
                ? new LinuxRootedFiles(root, account, pending)
                : new DirectoryStreamFiles(root, account, pending);
    }

    /** Describes the implementation. */
    static String description() {
        return LinuxRootedFiles.isSupported()
                ? "opened with openat2, which cannot leave the workspace"
                : "opened folder by folder, which cannot leave the workspace and refuses links";
    }
}
