package dev.toolgate.http.events;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** Server-sent events to one client, with a sign of life while there is nothing to say. */
public final class EventStream implements EventSender {
    private static final byte[] SIGN_OF_LIFE = ":\n\n".getBytes(StandardCharsets.UTF_8);
    private static final Duration LAST_WRITE = Duration.ofSeconds(1);

    private final ClientOutput client;
    private final Duration heartbeat;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean ended;
    private @Nullable Thread running;

    public EventStream(Content.Sink sink, Duration heartbeat) {
        this.client = new ClientOutput(sink);
        this.heartbeat = heartbeat;
    }

    /** Runs a source until it or the client or the server ends. */
    public void run(EventSource source) throws IOException {
        begin();
        Thread heart = Thread.ofVirtual().name("http-heartbeat").unstarted(this::beat);
        try (EventSource.Opened opened = source.open()) {
            heart.start();
            write(SIGN_OF_LIFE);
            opened.run(this);
        } catch (InterruptedException over) {
            // by end(): the thread goes on to other work
        } catch (IOException | RuntimeException failure) {
            if (!ended) {
                throw failure;
            }
        } finally {
            finish();
            stop(heart);
        }
    }

    // Not in the middle of a write, which would cut the connection off, unless the client takes nothing.
    private void stop(Thread heart) {
        boolean held = false;
        try {
            held = writing.tryLock(LAST_WRITE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        try {
            heart.interrupt();
        } finally {
            if (held) {
                writing.unlock();
            }
        }
    }

    /** Ends the stream from outside. */
    public synchronized void end() {
        ended = true;
        if (running != null) {
            running.interrupt();
        }
    }

    private synchronized void begin() {
        running = Thread.currentThread();
        if (ended) {
            running.interrupt();
        }
    }

    private synchronized void finish() {
        running = null;
        ended = true;
        Thread.interrupted();
    }

    @Override
    public void send(@Nullable String id, @Nullable String name, String data) throws IOException {
        StringBuilder event = new StringBuilder(data.length() + 64);
        field(event, "id", id);
        field(event, "event", name);
        data.lines().forEach(line -> field(event, "data", line));
        if (data.isEmpty()) {
            event.append("data:\n");
        }
        write(event.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void field(StringBuilder event, String field, @Nullable String value) {
        if (value == null) {
            return;
        }
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The " + field + " of an event must be one line.");
        }
        event.append(field).append(": ").append(value).append('\n');
    }

    private void write(byte[] bytes) throws IOException {
        writing.lock();
        try {
            if (ended) {
                throw new IOException("The event stream has ended.");
            }
            client.write(bytes);
        } finally {
            writing.unlock();
        }
    }

    private void beat() {
        try {
            while (!ended) {
                Thread.sleep(heartbeat);
                write(SIGN_OF_LIFE);
            }
        } catch (InterruptedException over) {
            // the stream has ended
        } catch (IOException clientGone) {
            end();
        }
    }
}
