package dev.toolgate.runtime.sandbox.command.degraded;

import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A command whose processes are tracked by their process group. */
final class DegradedCommand implements RunningCommand {
    private final ProcessGroup group;
    private final StandardStreams streams;
    private final TemporaryFolder folder;
    private final Consumer<DegradedCommand> whenClosed;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    DegradedCommand(
            int pid,
            ProcessGroup group,
            StandardStreams streams,
            TemporaryFolder folder,
            Consumer<DegradedCommand> whenClosed) {
        this.group = group;
        this.streams = streams;
        this.folder = folder;
        this.whenClosed = whenClosed;
        Thread.ofPlatform().name("toolgate-wait-" + pid).daemon().start(() -> awaitExit(pid));
    }

    @Override
    public OutputStream stdin() {
        return streams.stdin();
    }

    @Override
    public InputStream stdout() {
        return streams.stdout();
    }

    @Override
    public InputStream stderr() {
        return streams.stderr();
    }

    @Override
    public OptionalInt waitFor(Duration timeout) throws InterruptedException {
        try {
            return OptionalInt.of(exit.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The exit status of the command was collected by another waiter", e);
        }
    }

    @Override
    public void terminate(Duration grace) {
        group.terminate(grace);
    }

    @Override
    public void close() {
        group.close();
        streams.close();
        folder.close();
        whenClosed.accept(this);
    }

    private void awaitExit(int pid) {
        try {
            exit.complete(Libc.waitFor(pid));
        } catch (IOException e) {
            exit.completeExceptionally(e);
        }
    }
}
