package dev.toolgate.runtime.sandbox.command.nonlinux;

import dev.toolgate.runtime.sandbox.command.ProcessCommand;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A command started by Java, whose process tree is ended in a platform-specific way. */
final class TreeCommand extends ProcessCommand {
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);

    private final Process process;
    private final KillableTree tree;
    private final Consumer<RunningCommand> whenClosed;
    private boolean closed;

    TreeCommand(Process process, KillableTree tree, Consumer<RunningCommand> whenClosed) {
        super(process);
        this.process = process;
        this.tree = tree;
        this.whenClosed = whenClosed;
    }

    @Override
    public synchronized void terminate(Duration grace) {
        if (closed) {
            return;
        }
        // Read before termination: when a parent has ended, its children can no longer be found.
        List<ProcessHandle> descendants = process.descendants().toList();
        tree.terminate();
        await(grace);
        end(descendants);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        end(process.descendants().toList());
        tree.release();
        for (Closeable stream : List.of(stdin(), stdout(), stderr())) {
            try {
                stream.close();
            } catch (IOException alreadyBroken) {
                // Unflushed input of an ended process is irrelevant.
            }
        }
        whenClosed.accept(this);
    }

    private void end(List<ProcessHandle> descendants) {
        tree.kill();
        descendants.forEach(ProcessHandle::destroyForcibly);
        // Not Process.destroyForcibly, which would discard unread output.
        process.toHandle().destroyForcibly();
        await(KILL_TIMEOUT);
    }

    private void await(Duration timeout) {
        try {
            var _ = process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
