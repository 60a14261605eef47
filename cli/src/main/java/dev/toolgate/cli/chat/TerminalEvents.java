package dev.toolgate.cli.chat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The queue of events. It stays short, because messages of the server are requested one at a time. */
final class TerminalEvents {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private final BlockingQueue<TerminalEvent> waiting = new LinkedBlockingQueue<>();
    private final Duration timeout;

    TerminalEvents() {
        this(DEFAULT_TIMEOUT);
    }

    /**
     * @param timeout how long to wait in {@link #nextSoon}
     */
    TerminalEvents(Duration timeout) {
        this.timeout = timeout;
    }

    void add(TerminalEvent event) {
        waiting.add(event);
    }

    /** The next event, without a time-out. */
    TerminalEvent next() throws IOException {
        try {
            return waiting.take();
        } catch (InterruptedException interrupt) {
            throw stopped(interrupt);
        }
    }

    /** The next event, if it comes within the time-out. */
    Optional<TerminalEvent> nextSoon() throws IOException {
        try {
            return Optional.ofNullable(waiting.poll(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupt) {
            throw stopped(interrupt);
        }
    }

    private static IOException stopped(InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return new IOException("stopped", interrupt);
    }

    /** Removes the events of the server. */
    void forgetServer() {
        waiting.removeIf(
                event -> event instanceof TerminalEvent.ServerMessage || event instanceof TerminalEvent.Disconnected);
    }
}
