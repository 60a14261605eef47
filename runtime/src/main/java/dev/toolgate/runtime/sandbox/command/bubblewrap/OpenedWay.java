package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The way to a workspace that lies behind a folder its account may not enter, such as root's home. In
 * a mount namespace of the sandbox's own, an empty folder covers the closed one and only the
 * workspace shows in it; the folder itself stays closed, and nobody else sees a difference.
 *
 * @param prefix what comes before the program that gives up root's rights; empty if the way is open
 */
record OpenedWay(List<String> prefix) {
    static final OpenedWay ALREADY_OPEN = new OpenedWay(List.of());

    // The workspace is put aside before the closed folder is covered, and back into it afterwards.
    private static final String COVER = "umask 022"
            + " && mount --rbind \"$0\" \"$2\""
            + " && mount -t tmpfs -o mode=755,size=1m,nr_inodes=1k toolgate \"$1\""
            + " && mkdir -p \"$0\""
            + " && mount --move \"$2\" \"$0\""
            + " && shift 2"
            + " && exec \"$@\"";

    /**
     * Finds what is needed to get there.
     *
     * @param aside an empty folder of ours
     */
    static OpenedWay to(Path workspace, Account account, Path aside) throws IOException, ToolFailure {
        Path closed = WorkspaceAccount.closedAbove(workspace, account).orElse(null);
        if (closed == null) {
            return ALREADY_OPEN;
        }
        Path unshare = SandboxPrograms.find("unshare")
                .orElseThrow(() -> BindSource.refusal("Account '" + account.name() + "' cannot enter " + closed
                        + " on the way to the workspace; use a workspace elsewhere, or: "
                        + SandboxPrograms.installLine("util-linux")));
        return new OpenedWay(List.of(
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
