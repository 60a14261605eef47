package dev.toolgate.mcp.server.http;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A connection that records what is sent; its client can disconnect. */
final class RecordingOutput implements HttpOutput, StreamSink {
    private final List<String> chunks = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean open;
    private volatile boolean gone;
    private volatile boolean closed;
    private volatile boolean full;
    private volatile Runnable afterWrite = () -> {};

    @Override
    public @Nullable StreamSink open(Map<String, String> headers) throws IOException {
        if (full) {
            return null;
        }
        if (open || gone) {
            throw new IOException("opened twice, or disconnected");
        }
        open = true;
        return this;
    }

    @Override
    public void onDisconnect(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        if (gone || closed) {
            throw new IOException("The client is gone.");
        }
        chunks.add(new String(bytes, StandardCharsets.UTF_8));
        afterWrite.run();
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Opens no stream, as if all were in use. */
    RecordingOutput full() {
        full = true;
        return this;
    }

    /** Does this whenever something was sent. */
    void afterWrite(Runnable action) {
        afterWrite = action;
    }

    /** The client disconnects, and the listeners are notified. */
    void disconnect() {
        gone = true;
        listeners.forEach(Runnable::run);
    }

    /** The client disconnects, which only the next write notices. */
    void vanish() {
        gone = true;
    }

    boolean isOpen() {
        return open;
    }

    boolean isClosed() {
        return closed;
    }

    long keepAlives() {
        return chunks.stream().filter(chunk -> chunk.startsWith(":")).count();
    }

    List<JsonNode> messages() {
        List<JsonNode> messages = new ArrayList<>();
        for (String chunk : chunks) {
            if (chunk.startsWith("event: message\ndata: ") && chunk.endsWith("\n\n")) {
                messages.add(JsonMapper.shared().readTree(chunk.substring("event: message\ndata: ".length())));
            }
        }
        return messages;
    }

    /** Waits for a message that was sent, counted from 0. */
    JsonNode message(int index) {
        await().until(() -> messages().size() > index);
        return messages().get(index);
    }
}
