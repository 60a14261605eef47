package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.StreamStarter;
import dev.toolgate.http.routing.Response;
import dev.toolgate.mcp.server.http.HttpOutput;
import dev.toolgate.mcp.server.http.HttpReply;
import dev.toolgate.mcp.server.http.StreamSettings;
import dev.toolgate.mcp.server.http.StreamSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The response to one request, which becomes a stream if its tenant's limit of streams allows. */
final class McpOutput implements HttpOutput {
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

    /**
     * How the sender of a request is checked again while its stream is open.
     *
     * @param interval after which it is checked again
     * @param maxUnknown how long the check may be unavailable before the stream is closed; until then only comments are
     *     sent, because the sender may no longer be authenticated
     * @param keepAlive after how much idle time a comment is sent while a message waits for the check
     */
    record Checks(Duration interval, Duration maxUnknown, Duration keepAlive) {
        static final Checks DEFAULT =
                new Checks(Duration.ofSeconds(4), Duration.ofSeconds(30), StreamSettings.DEFAULT.keepAlive());
    }

    private final StreamStarter client;
    private final BooleanSupplier isStillAdmitted;
    private final Checks checks;
    private final List<Runnable> onDisconnect = new CopyOnWriteArrayList<>();

    /**
     * @param isStillAdmitted whether the sender of the request is still authenticated; throws {@link Unavailable} if
     *     that cannot be checked
     */
    McpOutput(StreamStarter client, BooleanSupplier isStillAdmitted, Checks checks) {
        this.client = client;
        this.isStillAdmitted = isStillAdmitted;
        this.checks = checks;
    }

    @Override
    public @Nullable StreamSink open(Map<String, String> headers) throws IOException {
        Map<String, String> rest = new HashMap<>(headers);
        String type = rest.remove("Content-Type");
        try {
            return new ClientSink(client.start(type == null ? "text/event-stream" : type, rest));
        } catch (HttpFailure full) {
            return null;
        } catch (IOException disconnected) {
            throw gone(disconnected);
        }
    }

    /** A disconnected client is noticed only when something is sent to it: HTTP/1.1 has no other sign. */
    @Override
    public void onDisconnect(Runnable listener) {
        onDisconnect.add(listener);
    }

    private IOException gone(IOException why) {
        onDisconnect.forEach(Runnable::run);
        return why;
    }

    /** The complete response; ignored if a stream was opened. */
    static Response response(HttpReply reply) {
        return switch (reply) {
            case HttpReply.Json json ->
                new Response.Bytes(json.status(), "application/json", json.body(), json.headers());
            case HttpReply.Empty empty -> new Response.Empty(empty.status(), empty.headers());
            case HttpReply.Streamed _ -> Response.empty();
        };
    }

    /** Writes to a client. */
    @FunctionalInterface
    private interface ClientWrite {
        /** Returns whether something was written. */
        boolean run() throws IOException;
    }

    /**
     * Writes on a thread of its own. An interrupt of the caller's thread, such as by the time limit of the tool whose
     * progress it reports, would close the connection; it takes effect after the write.
     */
    private static boolean uninterrupted(ClientWrite write) throws IOException {
        FutureTask<Boolean> task = new FutureTask<>(write::run);
        Thread.ofVirtual().name("mcp-write").start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException disconnected) {
                throw disconnected;
            }
            throw new IllegalStateException(failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class ClientSink implements StreamSink {
        private final OutputStream out;
        private long checked = System.nanoTime();
        private long tried = checked;
        private long lastWrite = checked;
        private @Nullable Long unknownSince;

        ClientSink(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            uninterrupted(() -> {
                awaitCheck(bytes);
                return send(bytes);
            });
        }

        /** Drops the bytes while the check is unavailable: neither a tool nor keep-alive comments wait for it. */
        @Override
        public boolean offer(byte[] bytes) throws IOException {
            return uninterrupted(() -> {
                if (isCheckDue() && (wasTriedRecently() || !isChecked())) {
                    return false;
                }
                return send(bytes);
            });
        }

        private boolean isCheckDue() {
            return System.nanoTime() - checked >= checks.interval().toNanos();
        }

        private boolean wasTriedRecently() {
            return unknownSince != null
                    && System.nanoTime() - tried < checks.interval().toNanos();
        }

        private boolean send(byte[] bytes) throws IOException {
            try {
                out.write(bytes);
            } catch (IOException disconnected) {
                throw gone(disconnected);
            }
            lastWrite = System.nanoTime();
            return true;
        }

        // A comment is sent although the check is unavailable, so that the connection is kept.
        private void awaitCheck(byte[] bytes) throws IOException {
            if (!isCheckDue()) {
                return;
            }
            while (!isChecked() && bytes[0] != COMMENT[0]) {
                if (System.nanoTime() - lastWrite >= checks.keepAlive().toNanos()) {
                    send(COMMENT);
                }
                LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
            }
        }

        private boolean isChecked() throws IOException {
            try {
                if (!isStillAdmitted.getAsBoolean()) {
                    throw gone(new IOException("The client is no longer authenticated."));
                }
                checked = System.nanoTime();
                unknownSince = null;
                return true;
            } catch (Unavailable unknown) {
                long now = System.nanoTime();
                tried = now;
                Long since = unknownSince;
                unknownSince = since == null ? now : since;
                if (since != null && now - since >= checks.maxUnknown().toNanos()) {
                    throw gone(new IOException("Whether the client is authenticated could not be checked.", unknown));
                }
                return false;
            }
        }

        @Override
        public void close() {} // the server ends the response
    }
}
