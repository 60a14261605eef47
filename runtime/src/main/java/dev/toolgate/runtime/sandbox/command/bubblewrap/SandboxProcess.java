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

/** A sandbox that is up and waits for the one command it will run. */
final class SandboxProcess implements AutoCloseable {
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private final Process monitor;
    private final ProcessTree tree;
    private final WorkspaceShape shape;
    private boolean ready;

    private SandboxProcess(Process monitor, ProcessTree tree, WorkspaceShape shape) {
        this.monitor = monitor;
        this.tree = tree;
        this.shape = shape;
    }

    /** Starts it and waits until it is up. */
    static SandboxProcess start(List<String> line, WorkspaceShape shape) throws ToolFailure, InterruptedException {
        SandboxProcess sandbox = begin(line, shape);
        sandbox.awaitReady();
        return sandbox;
    }

    /** Starts it. A command may be handed to it at once, and is run as soon as everything is in place. */
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

    /** Waits until everything is mounted and dropped; whatever keeps it from that ends it. */
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

    /** Refuses the sandbox unless it shows exactly what its line asks for. */
    void check(MountCheck expected) throws ToolFailure, InterruptedException {
        awaitReady();
        Optional<String> complaint;
        try {
            complaint = expected.complaint(tree.first());
        } catch (IOException unreadable) {
            complaint = Optional.of("its mounts cannot be looked at: " + unreadable.getMessage());
        }
        if (complaint.isPresent()) {
            close();
            throw BindSource.refusal(
                    "No command can run here because the workspace was changed by another command while"
                            + " the sandbox was set up (" + complaint.get() + "); try again");
        }
    }

    Path workspace() {
        return shape.path();
    }

    /** Whether a command that arrives now may be run in it. */
    boolean usable() {
        return monitor.isAlive() && shape.stillHolds();
    }

    /** Turns the waiting sandbox into the command. */
    void hand(byte[] header) throws IOException {
        monitor.getOutputStream().write(header);
        monitor.getOutputStream().flush();
    }

    /** Gives every process inside the grace period to end by itself, then ends the rest. */
    void terminate(Duration grace) {
        // Bubblewrap ends the whole tree as soon as the command's own shell has ended, which may be well
        // before its children have tidied up. Held here, it notices only afterwards.
        Signals.stop(monitor);
        tree.terminate();
        tree.awaitMembersGone(grace);
        tree.kill();
        Signals.resume(monitor);
        end();
    }

    /** Ends everything inside at once; when this returns nothing of it is alive. Its output can still be read. */
    void end() {
        tree.kill();
        if (!Await.until(() -> !monitor.isAlive(), END_PATIENCE)) {
            monitor.destroyForcibly();
        }
        tree.awaitGone(END_PATIENCE);
    }

    @Override
    public void close() {
        end();
        closeStreams(monitor);
    }

    /** Lets a sandbox that nobody wants end by itself: it finds no command on its input. */
    private static void discard(Process monitor) {
        // Killed halfway, bubblewrap would leave behind a first process that waits for it for ever.
        closeStream(monitor.getOutputStream());
        if (!Await.until(() -> !monitor.isAlive(), END_PATIENCE)) {
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
            // Nobody is at the other end any more, and the descriptor is closed all the same.
        }
    }
}
