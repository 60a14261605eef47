package dev.toolgate.server.cli.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What has happened and was not looked at yet, in order. It stays short: the server waits to be asked for more. */
final class Happenings {
    private final BlockingQueue<Happening> waiting = new LinkedBlockingQueue<>();

    void add(Happening happening) {
        waiting.add(happening);
    }

    /** The next one, whenever it comes. */
    Happening next() throws IOException {
        try {
            return waiting.take();
        } catch (InterruptedException interrupt) {
            throw stopped(interrupt);
        }
    }

    /** The next one, if it comes within this time. */
    Optional<Happening> next(Duration patience) throws IOException {
        try {
            return Optional.ofNullable(waiting.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupt) {
            throw stopped(interrupt);
        }
    }

    private static IOException stopped(InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return new IOException("stopped", interrupt);
    }

    /** Forgets what came from the server. */
    void forgetServer() {
        waiting.removeIf(happening -> happening instanceof Happening.Said || happening instanceof Happening.Gone);
    }
}
