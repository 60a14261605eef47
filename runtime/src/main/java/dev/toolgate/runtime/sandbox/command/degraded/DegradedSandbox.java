package dev.toolgate.runtime.sandbox.command.degraded;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.TemporaryFolder;
import dev.toolgate.runtime.sandbox.command.seccomp.Architecture;
import dev.toolgate.runtime.sandbox.command.seccomp.SeccompFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The sandbox for Linux without bubblewrap, only if enabled explicitly: Landlock, where the kernel has it, and a system
 * call filter. {@link #confinement} says how it is weaker than bubblewrap.
 */
public final class DegradedSandbox implements CommandSandbox {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /**
     * No core dumps, 4 GiB of memory per process, 8 GiB per file; lower limits stay. The number of processes is not
     * limited, because the kernel counts all processes of the account, including this server's.
     */
    private static final String LIMITED =
            "{ ulimit -c 0; ulimit -d 4194304; ulimit -f 16777216; } 2>/dev/null; exec /bin/sh -c \"$0\"";

    private final Function<Path, Account> accounts;
    private final Architecture architecture = Architecture.current();
    private final int landlock;
    private final Set<DegradedCommand> running = ConcurrentHashMap.newKeySet();

    /**
     * @param accounts the account that runs commands in a workspace; used only if this process is root
     * @throws UnsupportedOperationException if the machine does not meet the requirements
     */
    public DegradedSandbox(Function<Path, Account> accounts) {
        this(accounts, Landlock.version());
    }

    /** With an older Landlock version than the kernel's, or 0 for none. */
    DegradedSandbox(Function<Path, Account> accounts, int landlock) {
        this.accounts = accounts;
        this.landlock = landlock;
        Spawn.requireSupport();
        if (Libc.isRoot() && !Files.isExecutable(SETPRIV)) {
            throw new UnsupportedOperationException(
                    "Commands never run as root, and " + SETPRIV + " is missing; install util-linux");
        }
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure {
        request.view().requireWhole();
        if (!request.allowedDomains().isEmpty()) {
            throw failure("The degraded sandbox cannot allow network access to single domains; install bubblewrap");
        }
        CleanupStack cleanup = new CleanupStack();
        try {
            DegradedCommand command = start(request, cleanup);
            running.add(command);
            return command;
        } catch (IOException | RuntimeException | LinkageError e) {
            cleanup.close();
            throw failure("The command could not be confined, so it was not started: " + e.getMessage());
        }
    }

    private DegradedCommand start(CommandRequest request, CleanupStack cleanup) throws IOException {
        TemporaryFolder folder = cleanup.add(new TemporaryFolder());
        List<String> line = new ArrayList<>();
        if (Libc.isRoot()) {
            Account account = accounts.apply(request.workspace());
            if (account.isRoot()) {
                throw new IOException("commands never run as root");
            }
            folder.changeOwner(account.uid(), account.gid());
            line.addAll(List.of(SETPRIV.toString(), "--reuid=" + account.uid(), "--regid=" + account.gid()));
            line.addAll(List.of("--clear-groups", "--inh-caps=-all", "--no-new-privs", "--"));
        }
        line.addAll(List.of("/bin/sh", "-c", LIMITED, request.command()));
        Map<String, String> environment = new HashMap<>(request.environment());
        environment.put("HOME", folder.path().toString());
        environment.put("TMPDIR", folder.path().toString());

        StandardStreams streams = cleanup.add(new StandardStreams());
        ProcessGroup group = cleanup.add(new ProcessGroup());
        byte[] filter = SeccompFilter.forProcessGroup(architecture, group.id(), Set.of());
        int pid;
        try (Spawn spawn = new Spawn(line, environment, request.cwd(), group.id(), streams.descriptors())) {
            pid = landlock == 0
                    ? ConfinedThread.startConfined(spawn, -1, filter)
                    : startWithLandlock(spawn, filter, request.workspace(), folder.path());
        }
        streams.closeChildEnds();
        return new DegradedCommand(pid, group, streams, folder, running::remove);
    }

    private int startWithLandlock(Spawn spawn, byte[] filter, Path workspace, Path temporary) throws IOException {
        try (Landlock rules = new Landlock(landlock)) {
            rules.allowReading(VisibleFiles.PROGRAMS);
            rules.allowReading(VisibleFiles.CONFIGURATION);
            rules.allowReading(VisibleFiles.MACHINE);
            rules.allowUsing(VisibleFiles.DEVICES);
            rules.allowEverything(workspace);
            rules.allowEverything(temporary);
            return ConfinedThread.startConfined(spawn, rules.descriptor(), filter);
        }
    }

    @Override
    public Confinement confinement() {
        return DegradedConfinement.of(landlock);
    }

    @Override
    public void close() {
        running.forEach(DegradedCommand::close);
    }

    private static ToolFailure failure(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }
}
