package dev.toolgate.runtime.sandbox.command;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The platform thread that starts every confined process. It never ends, because a parent-death signal is sent when the
 * <em>thread</em> that started the process ends, and the carrier of a virtual thread may end at any time.
 */
public final class SpawnThread {
    private static final BlockingQueue<Start> STARTS = new LinkedBlockingQueue<>();

    static {
        Thread.ofPlatform().name("toolgate-spawn").daemon().start(SpawnThread::serve);
    }

    private record Start(ProcessBuilder builder, CompletableFuture<Process> started) {}

    private SpawnThread() {}

    /**
     * Starts the process, which lives at most as long as this JVM. This is quick, so an interrupt is left pending for
     * the next wait.
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
