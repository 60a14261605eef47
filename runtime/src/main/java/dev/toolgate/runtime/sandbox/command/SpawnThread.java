package dev.toolgate.runtime.sandbox.command;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The one platform thread every confined process is started from. It never ends, because the kernel
 * ends a process that dies with its parent when the <em>thread</em> that started it ends; a virtual
 * thread's carrier may retire at any time.
 */
public final class SpawnThread {
    private static final BlockingQueue<Start> STARTS = new LinkedBlockingQueue<>();

    static {
        Thread.ofPlatform().name("toolgate-spawn").daemon().start(SpawnThread::serve);
    }

    private record Start(ProcessBuilder builder, CompletableFuture<Process> started) {}

    private SpawnThread() {}

    /** Starts the process, which lives at most as long as this Java process. */
    public static Process start(ProcessBuilder builder) throws IOException, InterruptedException {
        CompletableFuture<Process> started = new CompletableFuture<>();
        STARTS.add(new Start(builder, started));
        try {
            return started.get();
        } catch (InterruptedException interrupted) {
            // Nobody is left to use it, whether it is already running or not yet started.
            var _ = started.thenAccept(Process::destroyForcibly);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause() == null ? failed : failed.getCause());
        }
    }

    private static void serve() {
        while (true) {
            try {
                Start next = STARTS.take();
                try {
                    next.started().complete(next.builder().start());
                } catch (IOException | RuntimeException failed) {
                    next.started().completeExceptionally(failed);
                }
            } catch (InterruptedException ignored) {
                // Nothing may end this thread.
            }
        }
    }
}
