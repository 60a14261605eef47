package dev.toolgate.server.chat;

import dev.toolgate.core.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * A chat client over a WebSocket. Events are kept as they arrive; awaiting one removes it and leaves the others, so
 * that a test can await them in any order.
 */
public final class ChatClient implements AutoCloseable {
    /** The time-out of all waits. */
    public static final Duration BOUND = Duration.ofMinutes(2);

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final WebSocket socket;
    private final ChatInbox inbox;

    private ChatClient(WebSocket socket, ChatInbox inbox) {
        this.socket = socket;
        this.inbox = inbox;
    }

    /**
     * Connects with a key.
     *
     * @param url the server's HTTP URL
     */
    public static ChatClient connect(String url, String key) {
        return connect(url, Map.of("Authorization", "Bearer " + key));
    }

    /**
     * Connects with any headers.
     *
     * @throws Refused if the server refuses the WebSocket
     */
    public static ChatClient connect(String url, Map<String, String> headers) {
        return connect(url, headers, List.of());
    }

    /** Connects with any headers and subprotocols. */
    public static ChatClient connect(String url, Map<String, String> headers, List<String> protocols) {
        ChatInbox inbox = new ChatInbox();
        WebSocket.Builder builder = HTTP.newWebSocketBuilder().connectTimeout(BOUND);
        headers.forEach(builder::header);
        if (!protocols.isEmpty()) {
            builder.subprotocols(
                    protocols.getFirst(), protocols.stream().skip(1).toArray(String[]::new));
        }
        URI door = URI.create(url.replaceFirst("^http", "ws") + "/ws");
        try {
            return new ChatClient(builder.buildAsync(door, inbox).join(), inbox);
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof WebSocketHandshakeException refused) {
                throw new Refused(refused.getResponse().statusCode());
            }
            throw failed;
        }
    }

    /** The subprotocol selected by the server. */
    public String protocol() {
        return socket.getSubprotocol();
    }

    /** Sends one envelope. */
    public void send(String type, ObjectNode payload) {
        sendText(Json.MAPPER
                .createObjectNode()
                .put("type", type)
                .set("payload", payload)
                .toString());
    }

    /** Sends a text frame. */
    public void sendText(String text) {
        var _ = socket.sendText(text, true).join();
    }

    /** Sends a binary frame, which the server does not accept. */
    public void sendBinary(byte[] bytes) {
        var _ = socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** Sends a message to a model. */
    public void say(ChatMessage message) {
        send("chat:send", message.payload());
    }

    /** Cancels an answer. */
    public void cancel(String conversation) {
        send("chat:cancel", Json.MAPPER.createObjectNode().put("conversation_id", conversation));
    }

    /** Approves a tool call. */
    public void approve(String toolId) {
        send("chat:tool-approve", answer(toolId).put("approved", true));
    }

    /** Approves a tool call by its approval id. */
    public void approve(String toolId, String approvalId) {
        send("chat:tool-approve", answer(toolId).put("approved", true).put("approvalId", approvalId));
    }

    /** Denies a tool call. */
    public void reject(String toolId, String reason) {
        send("chat:tool-approve", answer(toolId).put("approved", false).put("reason", reason));
    }

    /** Denies a tool call of one conversation. */
    public void reject(String toolId, String reason, String conversation) {
        send(
                "chat:tool-approve",
                answer(toolId).put("approved", false).put("reason", reason).put("conversationId", conversation));
    }

    private static ObjectNode answer(String toolId) {
        return Json.MAPPER.createObjectNode().put("toolId", toolId);
    }

    /** Awaits the first event of a type. */
    public ChatEnvelope await(String type) {
        return inbox.await(type, event -> event.type().equals(type));
    }

    /** Awaits the first event of a type for one tool call. */
    public ChatEnvelope await(String type, String toolId) {
        return inbox.await(
                type + " of " + toolId,
                event -> event.type().equals(type) && event.text("toolId").equals(toolId));
    }

    /** Awaits the first matching event. */
    public ChatEnvelope await(String what, Predicate<ChatEnvelope> wanted) {
        return inbox.await(what, wanted);
    }

    /** Awaits the last event of an answer: its end, or an error that ended it. */
    public ChatEnvelope awaitEnd(String conversation) {
        return inbox.await("the end of " + conversation, event -> event.ends(conversation));
    }

    /** All events so far, in order. */
    public List<ChatEnvelope> events() {
        return inbox.all();
    }

    /** The types of all events so far. */
    public List<String> types() {
        return events().stream().map(ChatEnvelope::type).toList();
    }

    /** The joined text of all deltas of a type so far; checks that their numbers have no gaps. */
    public String said(String type) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (ChatEnvelope delta : events()) {
            if (delta.type().equals(type)) {
                int index = delta.payload().path("index").asInt(-1);
                if (index != next++) {
                    throw new AssertionError("A delta has the wrong number: " + delta);
                }
                text.append(delta.text("content"));
            }
        }
        return text.toString();
    }

    /** Waits until the server closes the connection. */
    public Close awaitClose() {
        return inbox.awaitClose();
    }

    /** Disconnects without a close frame. */
    public void vanish() {
        socket.abort();
    }

    @Override
    public void close() {
        inbox.requireDocumented();
        if (socket.isOutputClosed()) {
            return;
        }
        var _ = socket.sendClose(WebSocket.NORMAL_CLOSURE, "")
                .exceptionally(_ -> socket)
                .join();
        socket.abort();
    }

    /** The end of a connection. */
    public record Close(int code, String reason) {}

    /** The server refused the connection. */
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int status;

        Refused(int status) {
            super("The server answered " + status + " to the upgrade.");
            this.status = status;
        }

        public int status() {
            return status;
        }
    }
}
