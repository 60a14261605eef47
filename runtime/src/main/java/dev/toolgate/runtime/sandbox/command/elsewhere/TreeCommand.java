package dev.toolgate.runtime.sandbox.command.elsewhere;

import dev.toolgate.runtime.sandbox.command.ProcessCommand;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A command that Java started and the platform's way to reach its tree. */
final class TreeCommand extends ProcessCommand {
    private static final Duration KILLED_PROCESSES_TAKE_AT_MOST = Duration.ofSeconds(30);

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
        // Taken before asking: when a parent ends, its children can no longer be found through it.
        List<ProcessHandle> descendants = process.descendants().toList();
        tree.ask();
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
                // What could not be flushed to an ended process is of no use to anybody.
            }
        }
        whenClosed.accept(this);
    }

    private void end(List<ProcessHandle> descendants) {
        tree.end();
        descendants.forEach(ProcessHandle::destroyForcibly);
        // Not Process.destroyForcibly, which would throw away the output that nobody has read yet.
        process.toHandle().destroyForcibly();
        await(KILLED_PROCESSES_TAKE_AT_MOST);
    }

    private void await(Duration patience) {
        try {
            var _ = process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
