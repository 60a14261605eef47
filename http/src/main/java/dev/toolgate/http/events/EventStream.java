package dev.toolgate.http.events;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** Server-sent events to one client, with keep-alive comments while there are none. */
public final class EventStream implements EventSender, EndableStream {
    private static final byte[] HEARTBEAT_COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);
    private static final Duration LAST_WRITE_TIMEOUT = Duration.ofSeconds(1);

    private final ClientOutput client;
    private final Duration heartbeat;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean ended;
    private @Nullable Thread running;

    public EventStream(Content.Sink sink, Duration heartbeat) {
        this.client = new ClientOutput(sink);
        this.heartbeat = heartbeat;
    }

    /** Runs a source until it ends, the client disconnects or the server stops. */
    public void run(EventSource source) throws IOException {
        begin();
        Thread heartbeatThread = Thread.ofVirtual().name("http-heartbeat").unstarted(this::sendHeartbeats);
        try (EventSource.Opened opened = source.open()) {
            heartbeatThread.start();
            write(HEARTBEAT_COMMENT);
            opened.run(this);
        } catch (InterruptedException over) {
            // from end(); the thread continues with other work
        } catch (IOException | RuntimeException failure) {
            if (!ended) {
                throw failure;
            }
        } finally {
            finish();
            stop(heartbeatThread);
        }
    }

    // Waits for a write in progress, since interrupting it would abort the connection, unless the client does not read.
    private void stop(Thread heartbeatThread) {
        boolean held = false;
        try {
            held = writing.tryLock(LAST_WRITE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            heartbeatThread.interrupt();
        } finally {
            if (held) {
                writing.unlock();
            }
        }
    }

    /** Ends the stream from outside. */
    @Override
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
    public void send(@Nullable String id, @Nullable EventType type, String data) throws IOException {
        StringBuilder event = new StringBuilder(data.length() + 64);
        field(event, "id", id);
        field(event, "event", type == null ? null : type.wireName());
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

    private void sendHeartbeats() {
        try {
            while (!ended) {
                Thread.sleep(heartbeat);
                write(HEARTBEAT_COMMENT);
            }
        } catch (InterruptedException over) {
            // the stream has ended
        } catch (IOException clientGone) {
            end();
        }
    }
}
