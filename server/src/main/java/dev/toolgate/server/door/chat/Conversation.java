package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.ChatEvent;
import dev.toolgate.chat.loop.TurnResult;
import dev.toolgate.chat.model.Message;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running answer for one client. */
final class Conversation {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    /** Notified before the last event is sent, so that the client can send the next message right after it. */
    interface Watcher {
        void finished(Conversation conversation);
    }

    private final String id;
    private final TurnBuilder.PreparedTurn prepared;
    private final boolean wantsMessages;
    private final Consumer<Outgoing> client;
    private final Watcher watcher;
    private final WireEvents wire;
    private final Cancellation cancellation = new Cancellation();
    private final Map<String, UUID> questions = new ConcurrentHashMap<>();
    private ChatEvent.@Nullable End heldBackEnd;

    Conversation(SendRequest wanted, TurnBuilder.PreparedTurn prepared, Consumer<Outgoing> client, Watcher watcher) {
        this.id = wanted.conversationId();
        this.prepared = prepared;
        this.wantsMessages = Boolean.TRUE.equals(wanted.includeMessages());
        this.client = client;
        this.watcher = watcher;
        this.wire = new WireEvents(id);
    }

    String id() {
        return id;
    }

    void cancel() {
        cancellation.cancel();
    }

    /** The open approval request of a tool call. */
    Optional<UUID> question(String toolId) {
        return Optional.ofNullable(questions.get(toolId));
    }

    /** Runs until the answer and all its tools have ended. */
    void run() {
        try {
            TurnResult ending = prepared.loop().run(prepared.turn(), this::onEvent, cancellation);
            if (heldBackEnd != null) {
                finish(wire.of(heldBackEnd, messages(ending)));
            }
        } catch (Unavailable unreachable) {
            LOG.warn("Conversation {}: dependency unavailable: {}", id, unreachable.getMessage());
            fail(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "A service that the conversation needs is unavailable; try again later.");
        } catch (RuntimeException broken) {
            LOG.error("Conversation {} failed", id, broken);
            fail(ErrorCode.INTERNAL_ERROR, "The conversation failed because of an internal error.");
        }
    }

    // Called by one thread at a time.
    private void onEvent(ChatEvent event) {
        switch (event) {
            case ChatEvent.ToolConfirm asked -> {
                questions.put(asked.toolId(), asked.question().id());
                client.accept(wire.of(event, null));
            }
            case ChatEvent.ToolStart _,
                    ChatEvent.Start _,
                    ChatEvent.TextDelta _,
                    ChatEvent.ThinkingDelta _,
                    ChatEvent.ToolDelta _ -> client.accept(wire.of(event, null));
            case ChatEvent.ToolResult result -> {
                questions.remove(result.toolId());
                client.accept(wire.of(event, null));
            }
            case ChatEvent.End end -> {
                if (wantsMessages) {
                    heldBackEnd = end;
                } else {
                    finish(wire.of(event, null));
                }
            }
            case ChatEvent.Failed _ -> finish(wire.of(event, null));
        }
    }

    private List<Message> messages(TurnResult ending) {
        List<Message> added = new ArrayList<>();
        added.add(prepared.turn().request().messages().getLast());
        added.addAll(ending.added());
        return added;
    }

    private void fail(ErrorCode code, String message) {
        finish(Outgoing.Whole.of(
                id,
                ServerMessageType.ERROR,
                ChatProblem.of(code, message).payload(id, prepared.turn().messageId())));
    }

    private void finish(Outgoing last) {
        watcher.finished(this);
        client.accept(last);
    }
}
