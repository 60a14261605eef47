package dev.toolgate.runtime.sandbox.command;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    /**
     * Starts the process, which lives at most as long as this Java process. That takes a moment only, so
     * an interrupt is kept for whoever waits next.
     */
    public static Process start(ProcessBuilder builder) throws IOException {
        CompletableFuture<Process> started = new CompletableFuture<>();
        STARTS.add(new Start(builder, started));
        try {
            return started.join();
        } catch (CompletionException failed) {
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
