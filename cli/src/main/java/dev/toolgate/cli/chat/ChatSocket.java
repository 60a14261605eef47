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

/** A WebSocket to a server. Messages are JSON envelopes; received ones are delivered one at a time. */
public final class ChatSocket implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PING_INTERVAL = Duration.ofSeconds(2);
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    private final HttpClient client;
    private final WebSocket socket;
    private final SocketListener listener;
    private final Duration sendTimeout;
    private final Thread pinger = Thread.ofVirtual().unstarted(this::sendPings);

    private ChatSocket(HttpClient client, WebSocket socket, SocketListener listener, Duration sendTimeout) {
        this.client = client;
        this.socket = socket;
        this.listener = listener;
        this.sendTimeout = sendTimeout;
    }

    /**
     * Connects.
     *
     * @param events receives the server's messages, and at last the disconnection
     * @throws IOException if it cannot connect; the message says why
     */
    public static ChatSocket open(ServerAddress server, Key key, Consumer<TerminalEvent> events) throws IOException {
        return open(server, key, events, SEND_TIMEOUT);
    }

    /**
     * @param sendTimeout how long sending may take until the connection counts as lost
     */
    public static ChatSocket open(ServerAddress server, Key key, Consumer<TerminalEvent> events, Duration sendTimeout)
            throws IOException {
        HttpClient client = server.client().connectTimeout(CONNECT_TIMEOUT).build();
        SocketListener listener = new SocketListener(server, events);
        try {
            WebSocket socket = await(
                    client.newWebSocketBuilder()
                            .connectTimeout(CONNECT_TIMEOUT)
                            .header("Authorization", "Bearer " + key.text())
                            .buildAsync(server.socket("/ws"), listener),
                    SEND_TIMEOUT);
            ChatSocket made = new ChatSocket(client, socket, listener, sendTimeout);
            made.pinger.start();
            return made;
        } catch (IOException failure) {
            client.shutdownNow();
            throw failure instanceof WebSocketHandshakeException refused
                    ? refusal(server, key, refused)
                    : server.noAnswer(failure);
        }
    }

    // A refused handshake has no error body; another route returns the error for the same key.
    private static IOException refusal(ServerAddress server, Key key, WebSocketHandshakeException refused) {
        try (Api api = new Api(server, key)) {
            api.get(RequestTarget.api("whoami"));
        } catch (IOException told) {
            return told;
        }
        return new IOException(
                "the server at " + server + " answered " + refused.getResponse().statusCode()
                        + " to the WebSocket handshake; check the address and the server's version");
    }

    /**
     * Sends a message.
     *
     * @throws IOException if it cannot be sent
     */
    void send(String type, ObjectNode payload) throws IOException {
        String text = Json.MAPPER
                .createObjectNode()
                .put("type", type)
                .put("timestamp", Instant.now().toString())
                .set("payload", payload)
                .toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_MESSAGE_BYTES) {
            throw new IOException(
                    "this conversation exceeds the maximum message size of 4 MiB; begin a new one with /new");
        }
        try {
            await(socket.sendText(text, true), sendTimeout);
        } catch (IOException lost) {
            throw new IOException("the connection to the server was lost; send the message again", lost);
        }
    }

    /** Requests the next message; the server's messages are not read until then. */
    void requestNext() {
        socket.request(1);
    }

    // Java's client does not notice a lost connection while it only reads, so pings are sent.
    private void sendPings() {
        try {
            while (true) {
                Thread.sleep(PING_INTERVAL);
                await(socket.sendPing(ByteBuffer.allocate(0)), sendTimeout);
            }
        } catch (IOException lost) {
            listener.onError(socket, lost);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> T await(CompletableFuture<T> future, Duration timeout) throws IOException {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("not sent in time");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException failure ? failure : new IOException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    @Override
    public void close() {
        listener.close();
        pinger.interrupt();
        // Tries to send a close frame for at most a second.
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "")
                .completeOnTimeout(socket, 1, TimeUnit.SECONDS)
                .exceptionally(_ -> socket)
                .join();
        socket.abort();
        client.shutdownNow();
    }
}
