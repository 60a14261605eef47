package dev.toolgate.server.door.chat;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonBody;
import dev.toolgate.http.socket.SocketHandler;
import dev.toolgate.http.socket.SocketPeer;
import dev.toolgate.server.admin.approval.ApprovalAnswerHandler;
import dev.toolgate.server.operate.Release;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The WebSocket connection of one chat client: handles its messages and sends it the events of its conversations. */
final class ChatConnection implements SocketHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ChatConnection.class);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(3);

    private final ChatServices services;
    private final Supplier<Identity> identity;
    private final SocketPeer peer;
    private final String correlationId;
    private final TurnBuilder turns;
    private final OpenConversations conversations;
    private final Outbox outbox = new Outbox();
    private final AtomicBoolean rejected = new AtomicBoolean();

    ChatConnection(
            ChatServices services,
            RunningConversations running,
            Principal principal,
            Supplier<Identity> identity,
            String correlationId,
            SocketPeer peer) {
        this.services = services;
        this.identity = identity;
        this.peer = peer;
        this.correlationId = correlationId;
        this.turns = new TurnBuilder(services, correlationId);
        this.conversations = new OpenConversations(running, principal.tenant());
        send(Outgoing.Whole.of("", ServerMessageType.CONNECTION_STATUS, status(principal)));
        Thread.ofVirtual().name("chat-sender").start(new OutboxSender(outbox, peer, this::closed));
    }

    private ObjectNode status(Principal principal) {
        ObjectNode payload = Json.MAPPER.createObjectNode();
        payload.put("status", "connected");
        payload.put("role", principal.role().wireName());
        payload.put(
                "agent_id", principal.agent() == null ? null : principal.agent().value());
        if (principal.role() == Role.USER) {
            principal.chatsAs().stream().map(AgentId::value).sorted().forEach(payload.putArray("agents")::add);
        }
        payload.put("may_approve", principal.may(Right.ANSWER_APPROVALS) || principal.may(Right.ANSWER_OWN_QUESTIONS));
        services.providers().names().forEach(payload.putArray("providers")::add);
        return payload.put("version", Release.version());
    }

    @Override
    public void received(String message) {
        @Nullable ObjectNode parsed = parsed(message);
        @Nullable String conversation = parsed == null ? null : conversation(parsed);
        try {
            Identity sender = identify(conversation);
            if (sender instanceof Identity.Unknown) {
                return;
            }
            handle(parsed == null ? Incoming.read(message) : Incoming.read(parsed), principal(sender));
        } catch (HttpFailure refused) {
            sendError(ChatProblem.of(refused), conversation);
        } catch (Unavailable unreachable) {
            LOG.warn("A chat message could not be handled: dependency unavailable: {}", unreachable.getMessage());
            sendError(
                    ChatProblem.of(
                            ErrorCode.SERVICE_UNAVAILABLE,
                            "A service that this needs is unavailable; try again later."),
                    conversation);
        } catch (RuntimeException broken) {
            LOG.error("Handling a chat message failed", broken);
            sendError(
                    ChatProblem.of(
                            ErrorCode.INTERNAL_ERROR, "The message could not be handled because of an internal error."),
                    conversation);
        }
    }

    private static @Nullable ObjectNode parsed(String message) {
        try {
            return JsonBody.parse(message);
        } catch (BadRequest malformed) {
            return null; // reported after the sender is identified
        }
    }

    /** The conversation of a message: the one it names, or the one whose question it answers. */
    private @Nullable String conversation(ObjectNode message) {
        String named = Incoming.conversationOf(message);
        return named == null
                ? conversations
                        .withQuestionAbout(
                                message.path("payload").path("toolId").asString(""))
                        .orElse(null)
                : named;
    }

    private void handle(Incoming incoming, Principal principal) {
        switch (incoming) {
            case Incoming.Send send -> begin(send.request(), principal);
            case Incoming.Cancel cancel -> conversations.cancel(cancel.conversationId());
            case Incoming.Approve approve -> answer(approve, principal);
        }
    }

    /**
     * Identifies the client again, because a key may be revoked or a log-in may end while the socket is open; then the
     * connection ends.
     */
    private Identity identify(@Nullable String conversation) {
        Identity now = identity.get();
        if (now instanceof Identity.Unknown unknown && rejected.compareAndSet(false, true)) {
            disconnect(unknown.reason(), conversation);
        }
        return now;
    }

    // A client that is slowed down has not been identified, so its message is refused and everything else continues.
    private static Principal principal(Identity sender) {
        return switch (sender) {
            case Identity.Known known -> known.principal();
            case Identity.Unknown unknown -> throw HttpFailure.unauthorized(unknown.reason());
            case Identity.SlowedDown slowed -> throw HttpFailure.slowedDown(slowed.retryAfter());
        };
    }

    private void disconnect(String reason, @Nullable String conversation) {
        conversations.cancelAll();
        sendError(ChatProblem.of(ErrorCode.UNAUTHORIZED, reason), conversation);
        send(new Outgoing.Close(SocketPeer.CloseReason.policy("The key is no longer valid.")));
    }

    private void begin(SendRequest wanted, Principal principal) {
        conversations.begin(
                wanted.conversationId(),
                watcher -> new Conversation(
                        wanted,
                        turns.build(wanted, principal, () -> identify(wanted.conversationId())),
                        this::send,
                        watcher));
    }

    private void answer(Incoming.Approve approval, Principal principal) {
        ApprovalAnswerHandler.requireAnswerer(principal);
        services.answerHandler()
                .answer(
                        principal,
                        correlationId,
                        approval.among(conversations.questions(approval.toolId(), approval.conversationId())),
                        new ApprovalDesk.Vote(
                                approval.approved() ? ApprovalDesk.Choice.APPROVE : ApprovalDesk.Choice.DENY,
                                principal.name(),
                                approval.reason(),
                                approval.scope() == null || !approval.approved()
                                        ? ApprovalDesk.Scope.ONCE
                                        : approval.scope(),
                                null));
    }

    private void sendError(ChatProblem problem, @Nullable String conversation) {
        send(Outgoing.Whole.of(
                conversation == null ? "" : conversation,
                ServerMessageType.ERROR,
                problem.payload(conversation, null)));
    }

    private void send(Outgoing event) {
        if (outbox.put(event) == Outbox.PutResult.OVERFLOW) {
            LOG.warn("A chat client reads too slowly and was disconnected");
            conversations.cancelAll();
            peer.close(SocketPeer.CloseReason.policy("The client reads too slowly; connect again."));
        }
    }

    @Override
    public void stopping() {
        conversations.cancelAll();
        Thread.ofVirtual().name("chat-goodbye").start(() -> {
            conversations.awaitNone(STOP_TIMEOUT); // the client must get the end of its answers before the close
            send(new Outgoing.Close(SocketPeer.CloseReason.STOPPING));
        });
    }

    @Override
    public void closed() {
        outbox.close();
        conversations.cancelAll();
    }
}
