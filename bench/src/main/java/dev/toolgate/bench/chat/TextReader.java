package dev.toolgate.bench.chat;

import dev.toolgate.core.json.Json;
import java.net.http.WebSocket;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one answer and compares it with the text that the model sent. */
final class TextReader implements WebSocket.Listener {
    /** The answer ended normally. */
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
     * @param saidAt when each chunk was sent, filled in by the model
     */
    TextReader(NumberedText text, AtomicLongArray saidAt) {
        this.expected = text.whole();
        this.saidAt = saidAt;
        this.delays = new long[text.pieces()];
    }

    /** How it ended: {@link #WHOLE}, or an error. */
    CompletableFuture<String> end() {
        return end;
    }

    boolean closed() {
        return closed;
    }

    /** The number of events. To be read after the end, like all below. */
    int events() {
        return events;
    }

    /** The number of characters that were not received. */
    int lost() {
        return expected.length() - read;
    }

    /** The delay from the model to here, for each chunk received. */
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
            end.complete("event " + index + " arrived out of order");
        }
        if (!expected.startsWith(content, read)) {
            end.complete("unexpected text after " + read + " characters: " + content);
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
