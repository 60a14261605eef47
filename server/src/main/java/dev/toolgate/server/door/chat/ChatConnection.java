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
import dev.toolgate.server.admin.approval.Answering;
import dev.toolgate.server.operate.Release;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** One client: what it sends is done, and what happens in its conversations is sent to it. */
final class ChatConnection implements SocketHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ChatConnection.class);

    private static final Duration LAST_EVENTS = Duration.ofSeconds(3);

    private final ChatWorld world;
    private final Supplier<Identity> identity;
    private final SocketPeer peer;
    private final String correlationId;
    private final TurnBuilder turns;
    private final OpenConversations conversations;
    private final Outbox outbox = new Outbox();
    private final AtomicBoolean shownOut = new AtomicBoolean();

    ChatConnection(
            ChatWorld world,
            RunningConversations running,
            Principal principal,
            Supplier<Identity> identity,
            String correlationId,
            SocketPeer peer) {
        this.world = world;
        this.identity = identity;
        this.peer = peer;
        this.correlationId = correlationId;
        this.turns = new TurnBuilder(world, correlationId);
        this.conversations = new OpenConversations(running, principal.tenant());
        send(Outgoing.Whole.of("", "connection:status", status(principal)));
        Thread.ofVirtual().name("chat-sender").start(new Courier(outbox, peer, this::closed));
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
        world.providers().names().forEach(payload.putArray("providers")::add);
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
            take(parsed == null ? Incoming.read(message) : Incoming.read(parsed), principal(sender));
        } catch (HttpFailure refused) {
            say(ChatProblem.of(refused), conversation);
        } catch (Unavailable unreachable) {
            LOG.warn("A message could not be looked at: {}", unreachable.getMessage());
            say(ChatProblem.of(ErrorCode.SERVICE_UNAVAILABLE, "What this needs cannot be reached now."), conversation);
        } catch (RuntimeException broken) {
            LOG.error("A message broke the connection's work", broken);
            say(ChatProblem.of(ErrorCode.INTERNAL_ERROR, "The message could not be dealt with."), conversation);
        }
    }

    private static @Nullable ObjectNode parsed(String message) {
        try {
            return JsonBody.parse(message);
        } catch (BadRequest malformed) {
            return null; // which is said to those who may still be here
        }
    }

    /** The conversation a message is about: the one it names, or the one that asked what it answers. */
    private @Nullable String conversation(ObjectNode message) {
        String named = Incoming.conversationOf(message);
        return named == null
                ? conversations
                        .asking(message.path("payload").path("toolId").asString(""))
                        .orElse(null)
                : named;
    }

    private void take(Incoming incoming, Principal principal) {
        switch (incoming) {
            case Incoming.Send send -> begin(send.request(), principal);
            case Incoming.Cancel cancel -> conversations.cancel(cancel.conversationId());
            case Incoming.Approve approve -> answer(approve, principal);
        }
    }

    /** Who is connected now: a key may be revoked, a session may end while the socket stays open. Then all ends here. */
    private Identity identify(@Nullable String conversation) {
        Identity now = identity.get();
        if (now instanceof Identity.Unknown unknown && shownOut.compareAndSet(false, true)) {
            leave(unknown.reason(), conversation);
        }
        return now;
    }

    // Of somebody who was slowed down nothing was looked at, so the message has to wait and all else goes on.
    private static Principal principal(Identity sender) {
        return switch (sender) {
            case Identity.Known known -> known.principal();
            case Identity.Unknown unknown -> throw HttpFailure.unauthorized(unknown.reason());
            case Identity.SlowedDown slowed -> throw HttpFailure.slowedDown(slowed.retryAfter());
        };
    }

    private void leave(String reason, @Nullable String conversation) {
        conversations.cancelAll();
        say(ChatProblem.of(ErrorCode.UNAUTHORIZED, reason), conversation);
        send(new Outgoing.Goodbye(SocketPeer.CloseReason.policy("The key does not count any more.")));
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

    private void answer(Incoming.Approve said, Principal principal) {
        Answering.requireAnswerer(principal);
        world.answering()
                .answer(
                        principal,
                        correlationId,
                        said.among(conversations.questions(said.toolId(), said.conversationId())),
                        new ApprovalDesk.Say(
                                said.approved() ? ApprovalDesk.YesOrNo.YES : ApprovalDesk.YesOrNo.NO,
                                principal.name(),
                                said.reason(),
                                said.scope() == null || !said.approved() ? ApprovalDesk.Scope.ONCE : said.scope(),
                                null));
    }

    private void say(ChatProblem problem, @Nullable String conversation) {
        send(Outgoing.Whole.of(
                conversation == null ? "" : conversation, "chat:error", problem.payload(conversation, null)));
    }

    private void send(Outgoing event) {
        if (outbox.put(event) == Outbox.Fate.TOO_MUCH) {
            LOG.warn("A client of conversations reads too slowly and was cut off");
            conversations.cancelAll();
            peer.close(SocketPeer.CloseReason.policy("The client reads too slowly; connect again."));
        }
    }

    @Override
    public void stopping() {
        conversations.cancelAll();
        Thread.ofVirtual().name("chat-goodbye").start(() -> {
            conversations.awaitNone(LAST_EVENTS); // a client is told of the end of an answer before that of the socket
            send(new Outgoing.Goodbye(SocketPeer.CloseReason.STOPPING));
        });
    }

    @Override
    public void closed() {
        outbox.close();
        conversations.cancelAll();
    }
}
