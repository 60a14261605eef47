package dev.toolgate.server.door.mcp;

import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.StreamStarter;
import dev.toolgate.http.routing.Response;
import dev.toolgate.mcp.server.http.HttpOutput;
import dev.toolgate.mcp.server.http.HttpReply;
import dev.toolgate.mcp.server.http.StreamSink;
import java.io.IOException;
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
    private static final long CHECK_INTERVAL = Duration.ofSeconds(4).toNanos();

    private final StreamStarter client;
    private final BooleanSupplier isStillAdmitted;
    private final List<Runnable> onDisconnect = new CopyOnWriteArrayList<>();

    /**
     * @param isStillAdmitted whether the sender of the request is still authenticated
     */
    McpOutput(StreamStarter client, BooleanSupplier isStillAdmitted) {
        this.client = client;
        this.isStillAdmitted = isStillAdmitted;
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

        ClientSink(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            if (System.nanoTime() - checked >= CHECK_INTERVAL) {
                checked = System.nanoTime();
                if (!isStillAdmitted.getAsBoolean()) {
                    throw gone(new IOException("The client is no longer authenticated."));
                }
            }
            try {
                out.write(bytes);
            } catch (IOException disconnected) {
                throw gone(disconnected);
            }
        }

        @Override
        public void close() {} // the server ends the response
    }
}
