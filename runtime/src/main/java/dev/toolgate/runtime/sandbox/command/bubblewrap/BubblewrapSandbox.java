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

/** Runs commands confined by bubblewrap, using a pool of prepared sandboxes. */
public final class BubblewrapSandbox implements CommandSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(BubblewrapSandbox.class);

    private static final int MIN_PIPE_BYTES = 4096;
    private static final int MAX_ATTEMPTS = 5;

    private final Profiles profiles;
    private final Function<List<String>, EgressProxy> proxies;
    private final Confinement confinement;
    private final MemoryWatchdog watchdog;
    private final WorkspaceQueue queue = new WorkspaceQueue();
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
        this.pool = new SandboxPool(settings, queue, this::prepareSandbox);
    }

    /**
     * Tests a first sandbox on this machine with attacks. If something is missing or an attack succeeds,
     * {@link #confinement} says so and no command is started.
     *
     * @param accounts the accounts that run commands
     * @param proxies creates the proxy for a command's allowed domains
     * @throws ToolFailure if the test cannot be run
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

    /** Starts sandboxes for this workspace in the background, so that the first command need not wait. */
    public void prepare(Path workspace) {
        pool.refill(workspace);
    }

    /** The command line of a sandbox for this workspace, for inspection. */
    public List<String> line(Path workspace) throws ToolFailure {
        WorkspaceShape shape = profiles.look(workspace);
        return profiles.of(workspace).line(shape, VisibleParts.whole(shape), null, InnerScript.SCRIPT);
    }

    /** The number of prepared sandboxes of this workspace. */
    public int preparedCount(Path workspace) {
        return pool.preparedCount(workspace);
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure, InterruptedException {
        check(request);
        Deque<AutoCloseable> cleanup = new ArrayDeque<>();
        Path workspace = request.workspace();
        WorkspaceQueue.Turn turn = queue.take(workspace, sharing);
        cleanup.push(turn);
        try {
            refuseIfClosed();
            WorkspaceLock lock = WorkspaceLock.take(workspace, sharing);
            cleanup.push(lock);
            SandboxProcess sandbox = sandbox(request, use(turn, lock), cleanup);
            byte[] header = InnerScript.header(
                    request, request.allowedDomains().isEmpty() ? Map.of() : ProxyRelay.environment());
            RunningCommand command = runIn(sandbox, header, cleanup);
            allowOthers(command, turn, lock);
            return command;
        } catch (ToolFailure | InterruptedException failed) {
            closeAll(cleanup);
            throw failed;
        } catch (RuntimeException unexpected) {
            closeAll(cleanup);
            LOG.warn("A command could not be confined and was not started", unexpected);
            throw new ToolFailure(
                    ErrorCode.INTERNAL_ERROR,
                    "The command was not started because it could not be confined (" + unexpected.getMessage()
                            + "); try again, and see the server's log if it fails again");
        }
    }

    private void allowOthers(RunningCommand command, WorkspaceQueue.Turn turn, WorkspaceLock lock)
            throws InterruptedException {
        if (sharing == WorkspaceSharing.ONE_AT_A_TIME) {
            return;
        }
        try {
            lock.share();
            turn.markRunning();
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

    /** Whether commands could change the workspace while a sandbox is set up. */
    private enum WorkspaceUse {
        EXCLUSIVE,
        SHARED
    }

    private static WorkspaceUse use(WorkspaceQueue.Turn turn, WorkspaceLock lock) {
        return lock.isExclusive() && !turn.othersAreRunning() ? WorkspaceUse.EXCLUSIVE : WorkspaceUse.SHARED;
    }

    private SandboxProcess sandbox(CommandRequest request, WorkspaceUse use, Deque<AutoCloseable> cleanup)
            throws ToolFailure, InterruptedException {
        Path workspace = request.workspace();
        if (!request.allowedDomains().isEmpty()) {
            EgressProxy proxy = proxies.apply(request.allowedDomains());
            cleanup.push(proxy);
            Path socket = BindSource.withoutLinks(proxy.socket()).path();
            return make(workspace, request.view(), socket, use);
        }
        SandboxProcess warm = request.view().isOpen() ? pool.take(workspace) : null;
        return warm == null ? make(workspace, request.view(), null, use) : warm;
    }

    private SandboxProcess prepareSandbox(Path workspace, WorkspaceQueue.Turn turn)
            throws ToolFailure, InterruptedException {
        try (WorkspaceLock lock = WorkspaceLock.take(workspace, sharing)) {
            SandboxProcess made = make(workspace, WorkspaceView.WHOLE, null, use(turn, lock));
            made.awaitReady();
            return made;
        }
    }

    /** Starts setting up a sandbox; if the workspace is shared, it is complete and checked when this returns. */
    private SandboxProcess make(Path workspace, WorkspaceView view, @Nullable Path proxySocket, WorkspaceUse use)
            throws ToolFailure, InterruptedException {
        String script = proxySocket == null ? InnerScript.SCRIPT : ProxyRelay.script() + InnerScript.SCRIPT;
        for (int attempt = 1; ; attempt++) {
            try {
                WorkspaceShape shape = profiles.look(workspace);
                VisibleParts parts = VisibleParts.of(shape, view, profiles.visibleFolders());
                List<String> line = profiles.of(workspace).line(shape, parts, proxySocket, script);
                SandboxProcess sandbox = SandboxProcess.begin(line, shape);
                if (use == WorkspaceUse.SHARED) {
                    sandbox.check(new MountCheck(workspace, line));
                }
                return sandbox;
            } catch (ToolFailure workspaceChanged) {
                if (use == WorkspaceUse.EXCLUSIVE || attempt == MAX_ATTEMPTS) {
                    throw workspaceChanged;
                }
            }
        }
    }

    private RunningCommand runIn(SandboxProcess sandbox, byte[] header, Deque<AutoCloseable> cleanup)
            throws ToolFailure, InterruptedException {
        cleanup.push(sandbox.shape()::removeGitRedirection);
        cleanup.push(sandbox);
        // A small command can be sent while the sandbox is still being set up: the pipe buffers it.
        if (header.length > MIN_PIPE_BYTES || watchdog.usesCgroup()) {
            sandbox.awaitReady();
        }
        MemoryWatchdog.Watch watch = watchdog.watch(sandbox.tree());
        cleanup.push(watch);
        try {
            sandbox.sendCommand(header);
            sandbox.awaitReady();
        } catch (IOException died) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The sandbox ended before the command could start (" + died.getMessage() + "); try again");
        }
        // The caller may still read the output, so it closes the sandbox itself.
        cleanup.remove(sandbox);
        BubblewrapCommand command = new BubblewrapCommand(sandbox, watch, over -> {
            running.remove(over);
            closeAll(cleanup);
        });
        cleanup.addLast(() -> pool.refill(sandbox.workspace()));
        running.add(command);
        if (closed) {
            command.close();
        }
        return command;
    }

    private static void closeAll(Deque<AutoCloseable> cleanup) {
        while (!cleanup.isEmpty()) {
            try {
                cleanup.pop().close();
            } catch (Exception left) {
                // The others, above all the turn in the queue, must be released nevertheless.
                LOG.warn("A resource of a command could not be closed", left);
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
