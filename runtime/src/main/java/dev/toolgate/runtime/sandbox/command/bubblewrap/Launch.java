package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The programs that start a sandbox, and the account it runs as.
 *
 * @param setpriv switches from root to the account; {@code null} if this process already runs as the account
 */
record Launch(Path bwrap, Path prlimit, @Nullable Path setpriv, Account account) {

    /** Finds the programs on this machine; fails with the reason why commands cannot be started. */
    static Launch find(Account account) throws ToolFailure {
        return find(account, SandboxPrograms::find);
    }

    static Launch find(Account account, Function<String, Optional<Path>> programs) throws ToolFailure {
        if (account.isRoot()) {
            throw refusal("Commands are never run as root, because bubblewrap does not confine root;"
                    + " give the workspace to an ordinary account: chown -R <account> <workspace>");
        }
        int own = currentUid();
        if (own != 0 && own != account.uid()) {
            throw refusal("Commands should run as " + account.name() + " (uid " + account.uid()
                    + "), but this process runs as uid " + own
                    + " and cannot switch to it; run it as that account or use a workspace that belongs to this"
                    + " account");
        }
        Path setpriv = own == 0 ? need(programs, "setpriv", "util-linux") : null;
        return new Launch(
                need(programs, "bwrap", "bubblewrap"), need(programs, "prlimit", "util-linux"), setpriv, account);
    }

    /** The prefix of bubblewrap's command line that switches to the account and drops root privileges. */
    List<String> prefix() {
        if (setpriv == null) {
            return List.of();
        }
        return List.of(
                setpriv.toString(),
                "--reuid=" + account.uid(),
                "--regid=" + account.gid(),
                "--clear-groups",
                "--no-new-privs",
                "--");
    }

    /** Makes the account the owner of a folder, if this process is root. */
    void give(Path folder) throws IOException {
        if (setpriv != null) {
            Files.setAttribute(folder, "unix:uid", account.uid());
            Files.setAttribute(folder, "unix:gid", account.gid());
        }
    }

    /** The complete command line. A shell opens the filter as descriptor 9, because Java passes on only 0 to 2. */
    List<String> line(Path filter, ParentOverlay overlay, List<String> bwrapArguments) {
        List<String> line = new ArrayList<>();
        line.addAll(List.of("/bin/sh", "-c", "exec \"$@\" 8>&1 9<\"$0\"", filter.toString()));
        line.addAll(overlay.prefix());
        line.addAll(prefix());
        line.add(bwrap.toString());
        line.addAll(bwrapArguments);
        return List.copyOf(line);
    }

    static int currentUid() throws ToolFailure {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | RuntimeException unreadable) {
            throw refusal("Commands cannot be confined because /proc is not readable, so the account of this"
                    + " process is unknown; mount /proc");
        }
    }

    private static Path need(Function<String, Optional<Path>> programs, String program, String itsPackage)
            throws ToolFailure {
        return programs.apply(program)
                .orElseThrow(() -> refusal("Commands cannot be confined because " + program
                        + " is not installed; to fix it: " + SandboxPrograms.installLine(itsPackage)));
    }

    private static ToolFailure refusal(String sentence) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, sentence);
    }
}
