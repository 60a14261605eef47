package dev.toolgate.server.chat;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.chat.ChatClient.Close;
import dev.toolgate.server.openapi.DocumentedEvents;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The received events of one WebSocket, and those not yet awaited. */
final class ChatInbox implements WebSocket.Listener {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final StringBuilder partial = new StringBuilder();
    private final List<ChatEnvelope> all = new ArrayList<>();
    private final List<ChatEnvelope> untaken = new ArrayList<>();
    private @Nullable Close close;
    private @Nullable AssertionError undocumented;

    ChatEnvelope await(String what, Predicate<ChatEnvelope> wanted) {
        return until(what, () -> {
            ChatEnvelope found = untaken.stream().filter(wanted).findFirst().orElse(null);
            if (found != null) {
                untaken.remove(found);
            }
            return found;
        });
    }

    Close awaitClose() {
        return until("the end of the connection", () -> close);
    }

    /** Checks that every message so far was valid by the API document. */
    void requireDocumented() {
        lock.lock();
        try {
            if (undocumented != null) {
                throw undocumented;
            }
        } finally {
            lock.unlock();
        }
    }

    List<ChatEnvelope> all() {
        lock.lock();
        try {
            return List.copyOf(all);
        } finally {
            lock.unlock();
        }
    }

    private <T> T until(String what, Supplier<@Nullable T> found) {
        long left = ChatClient.BOUND.toNanos();
        lock.lock();
        try {
            while (true) {
                requireDocumented();
                T now = found.get();
                if (now != null) {
                    return now;
                }
                if (left <= 0 || close != null) {
                    throw new AssertionError("No " + what + " came; there were " + all + " and then " + close);
                }
                left = news.awaitNanos(left);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        } finally {
            lock.unlock();
        }
    }

    private void note(Runnable change) {
        lock.lock();
        try {
            change.run();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            ChatEnvelope event = ChatEnvelope.parse(partial.toString());
            check(partial.toString());
            partial.setLength(0);
            note(() -> {
                all.add(event);
                untaken.add(event);
            });
        }
        socket.request(1);
        return null;
    }

    private void check(String message) {
        try {
            DocumentedEvents.checkServerMessage(Json.MAPPER.readTree(message));
        } catch (AssertionError wrong) {
            note(() -> undocumented = wrong);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        note(() -> close = new Close(code, reason));
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        note(() -> close = new Close(1006, String.valueOf(error.getMessage())));
    }
}
