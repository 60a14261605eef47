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

/** The conversations of one client, each with at most one running answer. */
final class OpenConversations implements Conversation.Watcher {
    private static final int MAX_RUNNING = 64;

    private final RunningConversations allRunning;
    private final TenantId tenant;
    private final Map<String, Conversation> answering = new HashMap<>();
    // Includes conversations whose last event was sent while a tool is still stopping.
    private final Set<Conversation> running = new HashSet<>();
    private boolean closed;

    OpenConversations(RunningConversations allRunning, TenantId tenant) {
        this.allRunning = allRunning;
        this.tenant = tenant;
    }

    /**
     * Starts an answer.
     *
     * @throws HttpFailure if the conversation has a running answer, or there are too many
     */
    void begin(String id, Function<Conversation.Watcher, Conversation> make) {
        requireFree(id);
        Conversation made = make.apply(this);
        synchronized (this) {
            requireFree(id);
            if (closed) {
                return;
            }
            allRunning.start(tenant, id, made::run, () -> ended(made));
            answering.put(id, made);
            running.add(made);
        }
    }

    private synchronized void requireFree(String id) {
        if (answering.containsKey(id)) {
            throw HttpFailure.of(
                    ErrorCode.CONVERSATION_BUSY,
                    "The conversation '" + id + "' already has a running answer; wait for its end, or cancel it.");
        }
        if (running.size() >= MAX_RUNNING) {
            throw HttpFailure.of(
                    ErrorCode.CONVERSATION_BUSY,
                    "This connection has the maximum of " + MAX_RUNNING + " running answers; wait for one to end.");
        }
    }

    @Override
    public synchronized void finished(Conversation conversation) {
        answering.remove(conversation.id(), conversation);
    }

    private synchronized void ended(Conversation conversation) {
        answering.remove(conversation.id(), conversation);
        running.remove(conversation);
        notifyAll();
    }

    /** Waits until no conversation runs, or until the time-out. */
    synchronized void awaitNone(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        long left = timeout.toMillis();
        try {
            while (!running.isEmpty() && left > 0) {
                wait(left);
                left = (end - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cancels an answer; does nothing if it has just ended. */
    void cancel(String id) {
        Conversation found;
        synchronized (this) {
            found = answering.get(id);
        }
        if (found != null) {
            found.cancel();
        }
    }

    /** Cancels all conversations and allows no new ones. */
    void cancelAll() {
        Set<Conversation> all;
        synchronized (this) {
            closed = true;
            all = Set.copyOf(running);
        }
        all.forEach(Conversation::cancel);
    }

    /** The conversation with an open approval request for a tool call. */
    synchronized Optional<String> withQuestionAbout(String toolId) {
        return answering.values().stream()
                .filter(one -> one.question(toolId).isPresent())
                .map(Conversation::id)
                .findFirst();
    }

    /** The open approval requests for a tool call. */
    synchronized List<UUID> questions(String toolId, @Nullable String conversation) {
        Stream<Conversation> asked =
                conversation == null ? answering.values().stream() : Stream.ofNullable(answering.get(conversation));
        return asked.map(one -> one.question(toolId)).flatMap(Optional::stream).toList();
    }
}
