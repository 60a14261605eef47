package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.CommandLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the command line that starts a sandbox, as a pure function of the machine and the workspace. All
 * security-relevant options are in this file.
 *
 * @param overlay makes the workspace reachable for the account
 * @param system the visible part of the system
 */
record BubblewrapProfile(
        Launch launch, ParentOverlay overlay, SupportFiles files, SystemView system, CommandLimits limits) {
    static final String HOME = "/home/sandbox";
    static final String PROXY_SOCKET = "/run/proxy.sock";

    private static final long SMALL = 64L << 20;

    /** The complete command line of a sandbox that runs our shell script first. */
    List<String> line(WorkspaceShape workspace, VisibleParts parts, @Nullable Path proxySocket, String script) {
        List<String> line = new ArrayList<>();
        line.addAll(namespaces());
        line.addAll(environment(launch.account()));
        line.addAll(system.shown());
        line.addAll(scratch());
        line.addAll(system.added());
        line.addAll(new WorkspaceMounts(workspace, parts, files.empty()).arguments(git(workspace)));
        if (proxySocket != null) {
            line.addAll(List.of("--ro-bind", proxySocket.toString(), PROXY_SOCKET));
        }
        line.addAll(List.of("--remount-ro", "/", "--chdir", workspace.path().toString()));
        line.addAll(List.of("--seccomp", "9", "--info-fd", "8", "--"));
        line.addAll(limited());
        line.addAll(List.of("/bin/sh", "-c", script));
        return launch.line(files.filter(), overlay, line);
    }

    private static List<String> namespaces() {
        return List.of(
                "--unshare-user",
                "--unshare-pid",
                "--unshare-ipc",
                "--unshare-uts",
                "--unshare-cgroup",
                "--unshare-net",
                "--disable-userns",
                "--assert-userns-disabled",
                "--die-with-parent",
                "--new-session",
                "--cap-drop",
                "ALL",
                "--hostname",
                SupportFiles.HOSTNAME);
    }

    private static List<String> environment(Account account) {
        List<String> arguments = new ArrayList<>(List.of("--clearenv"));
        Environment.base(account).forEach((name, value) -> arguments.addAll(List.of("--setenv", name, value)));
        return arguments;
    }

    /** Private writable folders, each of limited size, because they are held in memory. */
    private List<String> scratch() {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--ro-bind", files.hosts().toString(), "/etc/hosts"));
        arguments.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
        system.hidden().forEach(path -> arguments.addAll(Mounts.hide(files.empty(), path)));
        arguments.addAll(Mounts.tmpfs("/dev/shm", "1777", Math.min(SMALL, limits.scratchBytes())));
        arguments.addAll(List.of("--remount-ro", "/dev"));
        arguments.addAll(Mounts.tmpfs("/tmp", "1777", limits.scratchBytes()));
        arguments.addAll(Mounts.tmpfs("/run", "0755", Math.min(SMALL, limits.scratchBytes())));
        arguments.addAll(Mounts.tmpfs(HOME, "0700", limits.scratchBytes()));
        arguments.addAll(List.of("--symlink", "../tmp", "/var/tmp"));
        return arguments;
    }

    /** Makes the hooks and settings read-only that a later git outside the sandbox would use. */
    private List<String> git(WorkspaceShape workspace) {
        if (workspace.git().isEmpty()) {
            return List.of();
        }
        BindSource repository = workspace.git().getFirst();
        if (repository.kind() != BindSource.Kind.FOLDER) {
            return Mounts.bind("--ro-bind", repository.path());
        }
        List<String> arguments = new ArrayList<>(Mounts.bind("--bind", repository.path()));
        for (BindSource part : workspace.git().subList(1, workspace.git().size())) {
            arguments.addAll(Mounts.bind("--ro-bind", part.path()));
        }
        if (!mayBeChanged(repository.path())) {
            return arguments; // neither a command nor a mount can create entries there
        }
        if (!workspace.hasGitPart("hooks")) {
            arguments.addAll(Mounts.emptyFolder(repository.path().resolve("hooks")));
        }
        for (String settings : List.of("config", "config.worktree")) {
            if (!workspace.hasGitPart(settings)) {
                arguments.addAll(Mounts.hide(files.empty(), repository.path().resolve(settings)));
            }
        }
        return arguments;
    }

    // Write access by an ACL shows in the group bits. If unknown, it counts as changeable.
    private boolean mayBeChanged(Path folder) {
        try {
            int mode = (int) Files.getAttribute(folder, "unix:mode");
            boolean own = (int) Files.getAttribute(folder, "unix:uid")
                    == launch.account().uid();
            return own || (mode & 0022) != 0;
        } catch (IOException unknown) {
            return true;
        }
    }

    private List<String> limited() {
        return List.of(
                launch.prlimit().toString(),
                "--nproc=" + limits.processes(),
                "--data=" + limits.dataBytes(),
                "--fsize=" + limits.fileBytes(),
                "--nofile=" + limits.openFiles(),
                "--cpu=" + limits.cpu().toSeconds(),
                "--core=0",
                "--");
    }
}
