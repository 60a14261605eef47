package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.nio.file.Path;

/**
 * The one way to reach files beneath a root. However fast somebody swaps folders for links, nothing
 * outside the root is ever read, changed, removed or listed. Only regular files are touched: named
 * pipes, devices, sockets and files that have a second name are refused.
 */
public interface Beneath {

    /** Opens a file for reading. The caller closes it. */
    OpenFile open(Target target, FileGuard gate) throws ToolFailure;

    /** Creates or replaces a file in one step: others see the old content or the new, never a part. */
    void write(Target target, byte[] content, Parents parents, FileGuard gate) throws ToolFailure, InterruptedException;

    /** Removes a file; never a folder. */
    void delete(Target target, FileGuard gate) throws ToolFailure;

    /** Lists a folder by name, at most so many entries of it. */
    Listing list(Target target, int limit, FileGuard gate) throws ToolFailure, InterruptedException;

    /** The best way this machine has. Files belong to the account, also when this process is root. */
    static Beneath at(Path root, Account account, PendingWrites pending) {
        return LinuxBeneath.works()
                ? new LinuxBeneath(root, account, pending)
                : new DirectoryStreamBeneath(root, account, pending);
    }

    /** Which way that is, for people. */
    static String how() {
        return LinuxBeneath.works()
                ? "opened with openat2, which cannot leave the workspace"
                : "opened folder by folder, which cannot leave the workspace and refuses links";
    }
}
