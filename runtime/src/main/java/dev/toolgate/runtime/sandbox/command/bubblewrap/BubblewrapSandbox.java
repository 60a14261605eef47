package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import dev.toolgate.runtime.sandbox.command.WorkspaceView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commands confined by bubblewrap, from sandboxes started ahead. */
public final class BubblewrapSandbox implements CommandSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(BubblewrapSandbox.class);

    private static final int SMALLEST_PIPE = 4096;
    private static final int MOST_ATTEMPTS = 5;

    private final Profiles profiles;
    private final Function<List<String>, EgressProxy> proxies;
    private final Confinement confinement;
    private final MemoryWatchdog watchdog;
    private final WorkspaceTurns turns = new WorkspaceTurns();
    private final Set<RunningCommand> running = ConcurrentHashMap.newKeySet();
    private final SandboxPool pool;
    private final WorkspaceSharing sharing;
    private volatile boolean closed;

    private BubblewrapSandbox(
            Profiles profiles, SandboxSettings settings, Function<List<String>, EgressProxy> proxies) {
        this.profiles = profiles;
        this.proxies = proxies;
        this.sharing = settings.sharing();
        this.confinement = SelfTest.run(profiles).confinement();
        this.watchdog = new MemoryWatchdog(settings.limits().memoryBytes(), settings.memoryCgroup());
        this.pool = new SandboxPool(settings, turns, this::makeAhead);
    }

    /**
     * Looks at this machine and attacks a first sandbox. What is missing or does not hold shows in
     * {@link #confinement}, and then no command is started.
     *
     * @param accounts whose rights commands have
     * @param proxies opens the way to a command's allowed domains
     * @throws ToolFailure if not even that can be found out, with what to do about it
     */
    public static BubblewrapSandbox open(
            AccountChoice accounts, SandboxSettings settings, Function<List<String>, EgressProxy> proxies)
            throws ToolFailure {
        return new BubblewrapSandbox(new Profiles(accounts, settings), settings, proxies);
    }

    @Override
    public Confinement confinement() {
        return confinement;
    }

    /** Starts sandboxes for this workspace in the background, so that the first command finds one. */
    public void prepare(Path workspace) {
        pool.refill(workspace);
    }

    /** The line that starts a sandbox for this workspace, for somebody who wants to look at it or try it by hand. */
    public List<String> line(Path workspace) throws ToolFailure {
        WorkspaceShape shape = profiles.look(workspace);
        return profiles.of(workspace).line(shape, VisibleParts.whole(shape), null, InnerScript.SCRIPT);
    }

    /** How many sandboxes wait for commands in this workspace. */
    public int waiting(Path workspace) {
        return pool.waiting(workspace);
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure, InterruptedException {
        check(request);
        Deque<AutoCloseable> afterwards = new ArrayDeque<>();
        Path workspace = request.workspace();
        WorkspaceTurns.Turn turn = turns.take(workspace, sharing);
        afterwards.push(turn);
        try {
            refuseIfClosed();
            CommandFolderLock lock = CommandFolderLock.take(workspace, sharing);
            afterwards.push(lock);
            SandboxProcess sandbox = sandbox(request, surroundings(turn, lock), afterwards);
            byte[] header = InnerScript.header(
                    request, request.allowedDomains().isEmpty() ? Map.of() : ProxyRelay.environment());
            RunningCommand command = hand(sandbox, header, afterwards);
            letOthersIn(command, turn, lock);
            return command;
        } catch (ToolFailure | InterruptedException failed) {
            closeAll(afterwards);
            throw failed;
        } catch (RuntimeException unexpected) {
            closeAll(afterwards);
            LOG.warn("A command could not be confined", unexpected);
            throw new ToolFailure(
                    ErrorCode.INTERNAL_ERROR,
                    "The command was not started because it could not be confined (" + unexpected.getMessage()
                            + "); try again, and look into the server's log if it stays");
        }
    }

    private void letOthersIn(RunningCommand command, WorkspaceTurns.Turn turn, CommandFolderLock lock)
            throws InterruptedException {
        if (sharing == WorkspaceSharing.ONE_AT_A_TIME) {
            return;
        }
        try {
            lock.share();
            turn.running();
        } catch (InterruptedException stopped) {
            command.close();
            throw stopped;
        }
    }

    private void check(CommandRequest request) throws ToolFailure {
        refuseIfClosed();
        if (confinement.level() != Confinement.Level.CONFINED) {
            throw new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, confinement.detail());
        }
        if (!request.cwd().normalize().startsWith(request.workspace()) || !Files.isDirectory(request.cwd())) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "A command cannot start in " + request.cwd() + "; choose a folder in " + request.workspace());
        }
    }

    private void refuseIfClosed() throws ToolFailure {
        if (closed) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED, "The sandbox has been shut down; start the server again");
        }
    }

    /** Whether anybody could change a workspace while a sandbox is made of it. */
    private enum Surroundings {
        QUIET,
        COMMANDS_RUN
    }

    private static Surroundings surroundings(WorkspaceTurns.Turn turn, CommandFolderLock lock) {
        return lock.isAlone() && !turn.isBesideOthers() ? Surroundings.QUIET : Surroundings.COMMANDS_RUN;
    }

    private SandboxProcess sandbox(CommandRequest request, Surroundings surroundings, Deque<AutoCloseable> afterwards)
            throws ToolFailure, InterruptedException {
        Path workspace = request.workspace();
        if (!request.allowedDomains().isEmpty()) {
            EgressProxy proxy = proxies.apply(request.allowedDomains());
            afterwards.push(proxy);
            Path socket = BindSource.withoutLinks(proxy.socket()).path();
            return make(workspace, request.view(), socket, surroundings);
        }
        SandboxProcess warm = request.view().isOpen() ? pool.take(workspace) : null;
        return warm == null ? make(workspace, request.view(), null, surroundings) : warm;
    }

    private SandboxProcess makeAhead(Path workspace, WorkspaceTurns.Turn turn)
            throws ToolFailure, InterruptedException {
        try (CommandFolderLock lock = CommandFolderLock.take(workspace, sharing)) {
            SandboxProcess made = make(workspace, WorkspaceView.WHOLE, null, surroundings(turn, lock));
            made.awaitReady();
            return made;
        }
    }

    /** Begins to set a sandbox up; where commands run, it is up and has been checked when this returns. */
    private SandboxProcess make(
            Path workspace, WorkspaceView view, @Nullable Path proxySocket, Surroundings surroundings)
            throws ToolFailure, InterruptedException {
        String script = proxySocket == null ? InnerScript.SCRIPT : ProxyRelay.script() + InnerScript.SCRIPT;
        for (int attempt = 1; ; attempt++) {
            try {
                WorkspaceShape shape = profiles.look(workspace);
                VisibleParts parts = VisibleParts.of(shape, view, profiles.visibleFolders());
                List<String> line = profiles.of(workspace).line(shape, parts, proxySocket, script);
                SandboxProcess sandbox = SandboxProcess.begin(line, shape);
                if (surroundings == Surroundings.COMMANDS_RUN) {
                    sandbox.check(new MountCheck(workspace, line));
                }
                return sandbox;
            } catch (ToolFailure changedMeanwhile) {
                if (surroundings == Surroundings.QUIET || attempt == MOST_ATTEMPTS) {
                    throw changedMeanwhile;
                }
            }
        }
    }

    private RunningCommand hand(SandboxProcess sandbox, byte[] header, Deque<AutoCloseable> afterwards)
            throws ToolFailure, InterruptedException {
        afterwards.push(sandbox.shape()::removeGitRedirection);
        afterwards.push(sandbox);
        // A small command can be handed over while the sandbox is still being set up: the pipe holds it.
        if (header.length > SMALLEST_PIPE || watchdog.wantsThemStill()) {
            sandbox.awaitReady();
        }
        MemoryWatchdog.Watch watch = watchdog.watch(sandbox.tree());
        afterwards.push(watch);
        try {
            sandbox.hand(header);
            sandbox.awaitReady();
        } catch (IOException died) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The sandbox ended before the command could start (" + died.getMessage() + "); try again");
        }
        // The caller may still want to read what the command wrote, so it closes the sandbox itself.
        afterwards.remove(sandbox);
        BubblewrapCommand command = new BubblewrapCommand(sandbox, watch, over -> {
            running.remove(over);
            closeAll(afterwards);
        });
        afterwards.addLast(() -> pool.refill(sandbox.workspace()));
        running.add(command);
        if (closed) {
            command.close();
        }
        return command;
    }

    private static void closeAll(Deque<AutoCloseable> latestFirst) {
        while (!latestFirst.isEmpty()) {
            try {
                latestFirst.pop().close();
            } catch (Exception left) {
                // The others, and above all the workspace's turn, must be given back all the same.
                LOG.warn("Something of a command could not be closed", left);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        pool.close();
        running.forEach(RunningCommand::close);
        profiles.close();
    }
}
