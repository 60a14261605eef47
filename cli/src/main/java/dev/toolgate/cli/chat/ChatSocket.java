package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.Key;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** A WebSocket to a server. Everything goes as one envelope each; what comes is handed on, one at a time. */
public final class ChatSocket implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration PULSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_SEND = Duration.ofSeconds(30);
    private static final int LARGEST = 4 * 1024 * 1024;

    private final HttpClient client;
    private final WebSocket socket;
    private final SocketListener ear;
    private final Duration longestSend;
    private final Thread pulse = Thread.ofVirtual().unstarted(this::feelPulse);

    private ChatSocket(HttpClient client, WebSocket socket, SocketListener ear, Duration longestSend) {
        this.client = client;
        this.socket = socket;
        this.ear = ear;
        this.longestSend = longestSend;
    }

    /**
     * Connects.
     *
     * @param to what the server says, and at last that it is gone
     * @throws IOException with one sentence that says why it cannot
     */
    public static ChatSocket open(ServerAddress server, Key key, Consumer<Happening> to) throws IOException {
        return open(server, key, to, LONGEST_SEND);
    }

    /**
     * @param longestSend how long the server may take to accept something; then the connection counts as lost
     */
    public static ChatSocket open(ServerAddress server, Key key, Consumer<Happening> to, Duration longestSend)
            throws IOException {
        HttpClient client = server.client().connectTimeout(PATIENCE).build();
        SocketListener ear = new SocketListener(server, to);
        try {
            WebSocket socket = done(
                    client.newWebSocketBuilder()
                            .connectTimeout(PATIENCE)
                            .header("Authorization", "Bearer " + key.text())
                            .buildAsync(server.socket("/ws"), ear),
                    LONGEST_SEND);
            ChatSocket made = new ChatSocket(client, socket, ear, longestSend);
            made.pulse.start();
            return made;
        } catch (IOException failure) {
            client.shutdownNow();
            throw failure instanceof WebSocketHandshakeException refused
                    ? refusal(server, key, refused)
                    : server.noAnswer(failure);
        }
    }

    // The refusal of a WebSocket comes without its words; the same key is told them by any other route.
    private static IOException refusal(ServerAddress server, Key key, WebSocketHandshakeException refused) {
        try (Api api = new Api(server, key)) {
            api.get(RequestTarget.api("whoami"));
        } catch (IOException told) {
            return told;
        }
        return new IOException(
                "what answers at " + server + " said " + refused.getResponse().statusCode()
                        + " to a conversation; check the address and the server's version");
    }

    /**
     * Says something.
     *
     * @throws IOException with one sentence if it cannot be said
     */
    void send(String type, ObjectNode payload) throws IOException {
        String text = Json.MAPPER
                .createObjectNode()
                .put("type", type)
                .put("timestamp", Instant.now().toString())
                .set("payload", payload)
                .toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > LARGEST) {
            throw new IOException("this conversation is too long for one message of 4 MiB; begin a new one with /new");
        }
        try {
            done(socket.sendText(text, true), longestSend);
        } catch (IOException lost) {
            throw new IOException("the connection to the server was lost; send the message again", lost);
        }
    }

    /** Lets the server say the next thing; until then it waits. */
    void next() {
        socket.request(1);
    }

    // Java's client does not always notice that the other end is gone, and while it only listens it cannot: it must
    // speak.
    private void feelPulse() {
        try {
            while (true) {
                Thread.sleep(PULSE);
                done(socket.sendPing(ByteBuffer.allocate(0)), longestSend);
            }
        } catch (IOException lost) {
            ear.onError(socket, lost);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> T done(CompletableFuture<T> future, Duration longest) throws IOException {
        try {
            return future.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("not taken in time");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException failure ? failure : new IOException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    @Override
    public void close() {
        ear.shut();
        pulse.interrupt();
        // A word of farewell; whoever does not take it at once goes without.
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "")
                .completeOnTimeout(socket, 1, TimeUnit.SECONDS)
                .exceptionally(_ -> socket)
                .join();
        socket.abort();
        client.shutdownNow();
    }
}
