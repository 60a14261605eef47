package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.ChatEvent;
import dev.toolgate.chat.loop.Ending;
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

/** One answer on its way to one client. */
final class Conversation {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    /** Hears of the last event before it is sent, so that a client which has seen it can go on at once. */
    interface Watcher {
        void over(Conversation conversation);
    }

    private final String id;
    private final TurnBuilder.Ready ready;
    private final boolean wantsMessages;
    private final Consumer<Outgoing> client;
    private final Watcher watcher;
    private final WireEvents wire;
    private final Cancellation cancellation = new Cancellation();
    private final Map<String, UUID> questions = new ConcurrentHashMap<>();
    private ChatEvent.@Nullable End withheld;

    Conversation(SendRequest wanted, TurnBuilder.Ready ready, Consumer<Outgoing> client, Watcher watcher) {
        this.id = wanted.conversationId();
        this.ready = ready;
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

    /** The question that is open about a tool call. */
    Optional<UUID> question(String toolId) {
        return Optional.ofNullable(questions.get(toolId));
    }

    /** Runs until nothing of it runs any more. */
    void run() {
        try {
            Ending ending = ready.loop().run(ready.turn(), this::heard, cancellation);
            if (withheld != null) {
                finish(wire.of(withheld, messages(ending)));
            }
        } catch (Unavailable unreachable) {
            LOG.warn("Conversation {}: dependency unavailable: {}", id, unreachable.getMessage());
            fail(ErrorCode.SERVICE_UNAVAILABLE, "What the conversation needs cannot be reached now.");
        } catch (RuntimeException broken) {
            LOG.error("Conversation {} broke", id, broken);
            fail(ErrorCode.INTERNAL_ERROR, "The conversation broke off unexpectedly.");
        }
    }

    // Called by one thread at a time.
    private void heard(ChatEvent event) {
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
                    withheld = end;
                } else {
                    finish(wire.of(event, null));
                }
            }
            case ChatEvent.Failed _ -> finish(wire.of(event, null));
        }
    }

    private List<Message> messages(Ending ending) {
        List<Message> added = new ArrayList<>();
        added.add(ready.turn().request().messages().getLast());
        added.addAll(ending.added());
        return added;
    }

    private void fail(ErrorCode code, String message) {
        finish(Outgoing.Whole.of(
                id,
                "chat:error",
                ChatProblem.of(code, message).payload(id, ready.turn().messageId())));
    }

    private void finish(Outgoing last) {
        watcher.over(this);
        client.accept(last);
    }
}
