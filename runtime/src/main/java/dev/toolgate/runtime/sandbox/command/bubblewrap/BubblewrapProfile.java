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
 * The line that starts a sandbox: a pure function of what was found on this machine and in the
 * workspace. Everything the sandbox's strength rests on is in this file.
 *
 * @param way how its account gets to the workspace
 * @param system what of the system is shown
 */
record BubblewrapProfile(Launch launch, OpenedWay way, SupportFiles files, SystemView system, CommandLimits limits) {
    static final String HOME = "/home/sandbox";
    static final String PROXY_SOCKET = "/run/proxy.sock";

    private static final long SMALL = 64L << 20;

    /** The whole line for a sandbox that runs a shell script of ours as its first program. */
    List<String> line(WorkspaceShape workspace, VisibleParts parts, @Nullable Path proxySocket, String script) {
        List<String> line = new ArrayList<>();
        line.addAll(namespaces());
        line.addAll(environment(launch.account()));
        line.addAll(system.shown());
        line.addAll(scratch());
        line.addAll(new WorkspaceMounts(workspace, parts, files.empty()).arguments(git(workspace)));
        if (proxySocket != null) {
            line.addAll(List.of("--ro-bind", proxySocket.toString(), PROXY_SOCKET));
        }
        line.addAll(List.of("--remount-ro", "/", "--chdir", workspace.path().toString()));
        line.addAll(List.of("--seccomp", "9", "--info-fd", "8", "--"));
        line.addAll(limited());
        line.addAll(List.of("/bin/sh", "-c", script));
        return launch.line(files.filter(), way, line);
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

    /** Private places to write to, each of a bounded size, since they are made of memory. */
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

    /** What a later git outside the sandbox would run or obey stays as it is. */
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
            return arguments; // nothing can be put there, by a command or as a cover
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

    // Where an access list grants writing, the bits of the group show it; when in doubt, it may be changed.
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
