package dev.toolgate.server.door.chat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.HttpFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The conversations of one client, one running answer each. */
final class OpenConversations implements Conversation.Watcher {
    private static final int MOST = 64;

    private final RunningConversations everybodys;
    private final TenantId tenant;
    private final Map<String, Conversation> answering = new HashMap<>();
    // Also those whose last event was sent while a tool was still being stopped.
    private final Set<Conversation> running = new HashSet<>();
    private boolean closed;

    OpenConversations(RunningConversations everybodys, TenantId tenant) {
        this.everybodys = everybodys;
        this.tenant = tenant;
    }

    /**
     * Begins an answer.
     *
     * @throws HttpFailure if the conversation has one, or there are too many
     */
    void begin(String id, Function<Conversation.Watcher, Conversation> make) {
        requireFree(id);
        Conversation made = make.apply(this);
        synchronized (this) {
            requireFree(id);
            if (closed) {
                return;
            }
            everybodys.start(tenant, id, made::run, () -> ended(made));
            answering.put(id, made);
            running.add(made);
        }
    }

    private synchronized void requireFree(String id) {
        if (answering.containsKey(id)) {
            throw HttpFailure.of(
                    ErrorCode.CONVERSATION_BUSY, "The conversation '" + id + "' has an answer that is still coming.");
        }
        if (running.size() >= MOST) {
            throw HttpFailure.of(
                    ErrorCode.CONVERSATION_BUSY, "A connection has at most " + MOST + " answers coming at a time.");
        }
    }

    @Override
    public synchronized void over(Conversation conversation) {
        answering.remove(conversation.id(), conversation);
    }

    private synchronized void ended(Conversation conversation) {
        answering.remove(conversation.id(), conversation);
        running.remove(conversation);
        notifyAll();
    }

    /** Waits until none runs any more, or for so long. */
    synchronized void awaitNone(Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        long left = longest.toMillis();
        try {
            while (!running.isEmpty() && left > 0) {
                wait(left);
                left = (end - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops an answer; nothing happens if there is none, since it may just have ended. */
    void cancel(String id) {
        Conversation found;
        synchronized (this) {
            found = answering.get(id);
        }
        if (found != null) {
            found.cancel();
        }
    }

    /** Stops everything, and lets nothing begin any more. */
    void cancelAll() {
        Set<Conversation> all;
        synchronized (this) {
            closed = true;
            all = Set.copyOf(running);
        }
        all.forEach(Conversation::cancel);
    }

    /** The conversation with an open question about a tool call. */
    synchronized Optional<String> asking(String toolId) {
        return answering.values().stream()
                .filter(one -> one.question(toolId).isPresent())
                .map(Conversation::id)
                .findFirst();
    }

    /** The open questions about a tool call. */
    synchronized List<UUID> questions(String toolId, @Nullable String conversation) {
        Stream<Conversation> asked =
                conversation == null ? answering.values().stream() : Stream.ofNullable(answering.get(conversation));
        return asked.map(one -> one.question(toolId)).flatMap(Optional::stream).toList();
    }
}
