package dev.toolgate.bench.chat;

import dev.toolgate.core.json.Json;
import java.net.http.WebSocket;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one answer and holds it against what the model said. */
final class TextReader implements WebSocket.Listener {
    /** A proper end. */
    static final String WHOLE = "whole";

    private final String expected;
    private final AtomicLongArray saidAt;
    private final long[] delays;
    private final StringBuilder message = new StringBuilder();
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private int events;
    private int read;
    private volatile boolean closed;

    /**
     * @param saidAt when each piece was said, as the model fills it in
     */
    TextReader(NumberedText text, AtomicLongArray saidAt) {
        this.expected = text.whole();
        this.saidAt = saidAt;
        this.delays = new long[text.pieces()];
    }

    /** How it ended: {@link #WHOLE}, or what was wrong. */
    CompletableFuture<String> end() {
        return end;
    }

    boolean closed() {
        return closed;
    }

    /** In how many events the text came. Asked after the end, like all below. */
    int events() {
        return events;
    }

    /** The characters that never came. */
    int lost() {
        return expected.length() - read;
    }

    /** From the model to here, of each piece that came. */
    long[] delays() {
        return Arrays.copyOf(delays, read / NumberedText.LENGTH);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        long now = System.nanoTime();
        message.append(data);
        if (last) {
            JsonNode event = Json.MAPPER.readTree(message.toString());
            message.setLength(0);
            JsonNode payload = event.path("payload");
            switch (event.path("type").asString()) {
                case "chat:text-delta" ->
                    read(
                            payload.path("content").asString(),
                            payload.path("index").asInt(),
                            now);
                case "chat:stream-end" -> end.complete(payload.path("partial").asBoolean() ? "partial" : WHOLE);
                case "chat:error" -> end.complete(payload.toString());
                default -> {}
            }
        }
        socket.request(1);
        return null;
    }

    private void read(String content, int index, long now) {
        if (index != events++) {
            end.complete("event " + index + " came out of turn");
        }
        if (!expected.startsWith(content, read)) {
            end.complete("after " + read + " characters came: " + content);
            return;
        }
        int from = read / NumberedText.LENGTH;
        read += content.length();
        for (int piece = from; piece < read / NumberedText.LENGTH; piece++) {
            delays[piece] = now - saidAt.get(piece);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
        closed = true;
        end.complete("closed with " + status + ": " + reason);
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        closed = true;
        end.complete("broken: " + error);
    }
}
