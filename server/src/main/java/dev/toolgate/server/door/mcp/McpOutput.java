package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.StreamStarter;
import dev.toolgate.http.routing.Response;
import dev.toolgate.mcp.server.http.HttpOutput;
import dev.toolgate.mcp.server.http.HttpReply;
import dev.toolgate.mcp.server.http.StreamSink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The response to one request, which becomes a stream if its tenant's limit of streams allows. */
final class McpOutput implements HttpOutput {
    private static final byte COMMENT = ':';
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

    /**
     * How the sender of a request is checked again while its stream is open.
     *
     * @param interval after which it is checked again
     * @param maxUnknown how long the check may be unavailable before the stream is closed; until then only comments are
     *     sent, because the sender may no longer be authenticated
     */
    record Checks(Duration interval, Duration maxUnknown) {
        static final Checks DEFAULT = new Checks(Duration.ofSeconds(4), Duration.ofSeconds(30));
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

    private final class ClientSink implements StreamSink {
        private final OutputStream out;
        private long checked = System.nanoTime();
        private @Nullable Long unknownSince;

        ClientSink(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            if (System.nanoTime() - checked >= checks.interval().toNanos()) {
                awaitCheck(bytes);
            }
            try {
                out.write(bytes);
            } catch (IOException disconnected) {
                throw gone(disconnected);
            }
        }

        // A comment is sent although the check is unavailable, so that the connection is kept.
        private void awaitCheck(byte[] bytes) throws IOException {
            while (!isChecked() && bytes[0] != COMMENT) {
                try {
                    Thread.sleep(RETRY_INTERVAL);
                } catch (InterruptedException stopping) {
                    Thread.currentThread().interrupt();
                    throw gone(new InterruptedIOException("The server is stopping."));
                }
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
