package dev.toolgate.cli.chat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What has happened and was not looked at yet, in order. It stays short: the server waits to be asked for more. */
final class Happenings {
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(10);

    private final BlockingQueue<Happening> waiting = new LinkedBlockingQueue<>();
    private final Duration patience;

    Happenings() {
        this(USUAL_PATIENCE);
    }

    /**
     * @param patience how long to wait for what should come at once
     */
    Happenings(Duration patience) {
        this.patience = patience;
    }

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

    /** The next one, if it comes soon. */
    Optional<Happening> nextSoon() throws IOException {
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
