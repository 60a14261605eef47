package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.Await;
import dev.toolgate.runtime.sandbox.command.ProcessTree;
import dev.toolgate.runtime.sandbox.command.Signals;
import dev.toolgate.runtime.sandbox.command.SpawnThread;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A started sandbox that waits for its single command. */
final class SandboxProcess implements AutoCloseable {
    private static final Duration END_TIMEOUT = Duration.ofSeconds(10);

    private final Process monitor;
    private final ProcessTree tree;
    private final WorkspaceShape shape;
    private boolean ready;

    private SandboxProcess(Process monitor, ProcessTree tree, WorkspaceShape shape) {
        this.monitor = monitor;
        this.tree = tree;
        this.shape = shape;
    }

    /** Starts a sandbox and waits until it is ready. */
    static SandboxProcess start(List<String> line, WorkspaceShape shape) throws ToolFailure, InterruptedException {
        SandboxProcess sandbox = begin(line, shape);
        sandbox.awaitReady();
        return sandbox;
    }

    /** Starts a sandbox without waiting. A command may be sent at once and runs as soon as the sandbox is ready. */
    static SandboxProcess begin(List<String> line, WorkspaceShape shape) throws ToolFailure, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(line).directory(Path.of("/").toFile());
        builder.environment().clear();
        Process monitor;
        try {
            monitor = SpawnThread.start(builder);
        } catch (IOException failed) {
            throw BindSource.refusal("The sandbox could not be started (" + failed.getMessage()
                    + "); run toolgate doctor to see what is missing");
        }
        try {
            return new SandboxProcess(monitor, Handshake.firstProcess(monitor), shape);
        } catch (IOException failed) {
            discard(monitor);
            throw notSetUp(failed);
        } catch (ToolFailure | InterruptedException | RuntimeException failed) {
            discard(monitor);
            throw failed;
        }
    }

    /** Waits until everything is mounted and privileges are dropped; closes the sandbox if that fails. */
    void awaitReady() throws ToolFailure, InterruptedException {
        if (ready) {
            return;
        }
        try {
            Handshake.ready(monitor);
            ready = true;
        } catch (IOException failed) {
            close();
            throw notSetUp(failed);
        } catch (ToolFailure | InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private static ToolFailure notSetUp(IOException failed) {
        return BindSource.refusal("The sandbox could not be set up (" + failed.getMessage()
                + "); run toolgate doctor to see what is missing");
    }

    Process monitor() {
        return monitor;
    }

    ProcessTree tree() {
        return tree;
    }

    WorkspaceShape shape() {
        return shape;
    }

    /** Closes the sandbox and fails unless it has exactly the expected mounts. */
    void check(MountCheck expected) throws ToolFailure, InterruptedException {
        awaitReady();
        Optional<String> problem;
        try {
            problem = expected.problem(tree.first());
        } catch (IOException unreadable) {
            problem = Optional.of("its mounts cannot be read: " + unreadable.getMessage());
        }
        if (problem.isPresent()) {
            close();
            throw BindSource.refusal(
                    "No command can run here because the workspace was changed by another command while"
                            + " the sandbox was set up (" + problem.get() + "); try again");
        }
    }

    Path workspace() {
        return shape.path();
    }

    /** Whether a command may still be run in it. */
    boolean usable() {
        return monitor.isAlive() && shape.isUnchanged();
    }

    /** Makes the sandbox run a command. */
    void sendCommand(byte[] header) throws IOException {
        monitor.getOutputStream().write(header);
        monitor.getOutputStream().flush();
    }

    /** Sends SIGTERM to every process inside, and kills those left after the grace period. */
    void terminate(Duration grace) {
        // Bubblewrap kills the whole tree as soon as the command's shell has ended, possibly before its children have
        // cleaned up. While stopped, it does not notice.
        Signals.stop(monitor);
        tree.terminate();
        tree.awaitMembersGone(grace);
        tree.kill();
        Signals.resume(monitor);
        end();
    }

    /** Kills all processes inside; when this returns none is alive. The output can still be read. */
    void end() {
        tree.kill();
        if (!Await.until(() -> !monitor.isAlive(), END_TIMEOUT)) {
            monitor.destroyForcibly();
        }
        tree.awaitGone(END_TIMEOUT);
    }

    @Override
    public void close() {
        end();
        closeStreams(monitor);
    }

    /** Lets an unused sandbox exit by closing its input. */
    private static void discard(Process monitor) {
        // Killed during setup, bubblewrap would leave an init process behind that waits for it for ever.
        closeStream(monitor.getOutputStream());
        if (!Await.until(() -> !monitor.isAlive(), END_TIMEOUT)) {
            monitor.destroyForcibly();
        }
        closeStreams(monitor);
    }

    private static void closeStreams(Process process) {
        closeStream(process.getOutputStream());
        closeStream(process.getInputStream());
        closeStream(process.getErrorStream());
    }

    private static void closeStream(Closeable stream) {
        try {
            stream.close();
        } catch (IOException alreadyGone) {
            // The process has ended, and the descriptor is closed either way.
        }
    }
}
