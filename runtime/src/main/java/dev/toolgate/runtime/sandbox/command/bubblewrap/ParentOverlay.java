package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes a workspace reachable that lies in a folder its account may not enter, such as root's home. In the mount
 * namespace of the sandbox, a tmpfs covers the closed folder and contains only the workspace; the folder itself stays
 * closed, and other processes are not affected.
 *
 * @param prefix the command prefix, run before root privileges are dropped; empty if the workspace is reachable
 */
record ParentOverlay(List<String> prefix) {
    static final ParentOverlay NONE = new ParentOverlay(List.of());

    // The workspace is mounted aside before the closed folder is covered, and moved back afterwards.
    private static final String COVER = "umask 022"
            + " && mount --rbind \"$0\" \"$2\""
            + " && mount -t tmpfs -o mode=755,size=1m,nr_inodes=1k toolgate \"$1\""
            + " && mkdir -p \"$0\""
            + " && mount --move \"$2\" \"$0\""
            + " && shift 2"
            + " && exec \"$@\"";

    /**
     * The overlay for a workspace, or {@link #NONE} if it is reachable.
     *
     * @param aside an empty folder for the temporary mount
     */
    static ParentOverlay of(Path workspace, Account account, Path aside) throws IOException, ToolFailure {
        Path closed = WorkspaceAccount.closedParent(workspace, account).orElse(null);
        if (closed == null) {
            return NONE;
        }
        Path unshare = SandboxPrograms.find("unshare")
                .orElseThrow(() -> BindSource.refusal("Account '" + account.name() + "' cannot enter " + closed
                        + " on the way to the workspace; use a workspace elsewhere, or: "
                        + SandboxPrograms.installLine("util-linux")));
        return new ParentOverlay(List.of(
                unshare.toString(),
                "--mount",
                "--propagation",
                "private",
                "--",
                "/bin/sh",
                "-c",
                COVER,
                workspace.toString(),
                closed.toString(),
                aside.toString()));
    }
}
