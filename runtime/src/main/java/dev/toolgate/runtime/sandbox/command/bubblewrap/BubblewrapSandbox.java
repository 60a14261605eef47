package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
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

/** Commands confined by bubblewrap, one at a time in each workspace, from sandboxes started ahead. */
public final class BubblewrapSandbox implements CommandSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(BubblewrapSandbox.class);

    private static final int SMALLEST_PIPE = 4096;

    private final Profiles profiles;
    private final Function<List<String>, EgressProxy> proxies;
    private final Confinement confinement;
    private final MemoryWatchdog watchdog;
    private final WorkspaceTurns turns = new WorkspaceTurns();
    private final Set<RunningCommand> running = ConcurrentHashMap.newKeySet();
    private final SandboxPool pool;
    private volatile boolean closed;

    private BubblewrapSandbox(
            Profiles profiles, SandboxSettings settings, Function<List<String>, EgressProxy> proxies) {
        this.profiles = profiles;
        this.proxies = proxies;
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
        WorkspaceShape shape = WorkspaceShape.of(workspace);
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
        afterwards.push(turns.take(workspace));
        try {
            refuseIfClosed();
            afterwards.push(FolderLock.take(workspace));
            if (request.allowedDomains().isEmpty()) {
                byte[] header = InnerScript.header(request, Map.of());
                if (!request.view().isOpen()) {
                    return hand(make(workspace, request.view(), null), header, afterwards);
                }
                SandboxProcess warm = pool.take(workspace);
                return hand(warm == null ? begin(workspace) : warm, header, afterwards);
            }
            byte[] header = InnerScript.header(request, ProxyRelay.environment());
            EgressProxy proxy = proxies.apply(request.allowedDomains());
            afterwards.push(proxy);
            Path socket = BindSource.withoutLinks(proxy.socket()).path();
            return hand(make(workspace, request.view(), socket), header, afterwards);
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

    private SandboxProcess begin(Path workspace) throws ToolFailure, InterruptedException {
        WorkspaceShape shape = WorkspaceShape.of(workspace);
        List<String> line = profiles.of(workspace).line(shape, VisibleParts.whole(shape), null, InnerScript.SCRIPT);
        return SandboxProcess.begin(line, shape);
    }

    private SandboxProcess makeAhead(Path workspace) throws ToolFailure, InterruptedException {
        try (var _ = FolderLock.take(workspace)) {
            return make(workspace, WorkspaceView.WHOLE, null);
        }
    }

    private SandboxProcess make(Path workspace, WorkspaceView view, @Nullable Path proxySocket)
            throws ToolFailure, InterruptedException {
        String script = proxySocket == null ? InnerScript.SCRIPT : ProxyRelay.script() + InnerScript.SCRIPT;
        WorkspaceShape shape = WorkspaceShape.of(workspace);
        VisibleParts parts = VisibleParts.of(shape, view, profiles.visibleFolders());
        return SandboxProcess.start(profiles.of(workspace).line(shape, parts, proxySocket, script), shape);
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
