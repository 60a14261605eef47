package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.offer.CancelSignal;
import dev.toolgate.mcp.server.offer.OfferedResources;
import dev.toolgate.mcp.server.offer.ServerOffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Executes the requests of both eras. Independent of transports, which read messages, determine their caller and era,
 * and send the replies.
 */
public final class McpEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(McpEngine.class);
    /** Sessions keep the capabilities of their client. */
    private static final int MAX_CAPABILITIES_KB = 16;

    private static final int MAX_REASON_LENGTH = 200;

    private final ServerOffer offer;
    private final SessionRelay relay;
    private final Methods methods;
    private final ListenRequests listening;
    private final ResultWriter writer;
    private final Subscriptions subscriptions;
    private final InFlightRequests inFlight = new InFlightRequests();
    private final ClientQuestions questions = new ClientQuestions();

    public McpEngine(ServerOffer offer, SessionRelay relay, EngineSettings settings) {
        this.offer = offer;
        this.relay = relay;
        this.subscriptions = new Subscriptions(settings);
        this.methods = new Methods(offer, settings, subscriptions);
        this.listening = new ListenRequests(offer, subscriptions, settings);
        this.writer = new ResultWriter(offer.info().json());
    }

    /** The open subscriptions. */
    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** The outcome of {@code initialize}: the session, which is not stored yet, and the result. */
    public record Initialized(SessionRecord session, ObjectNode result) {}

    /**
     * Begins a session of the legacy era.
     *
     * @param caller the owner of the session
     * @throws RpcException if the parameters are invalid
     */
    public Initialized initialize(RpcMessage.Request request, String caller) {
        RequestParams params = new RequestParams(request.params());
        Revision asked = Revision.of(params.text("protocolVersion"));
        Revision revision = asked != null && asked.era() == Era.LEGACY ? asked : Revision.NEWEST_LEGACY;
        SessionRecord session = new SessionRecord(
                caller,
                revision,
                Implementation.read(params.object("clientInfo")),
                capabilities(params),
                null,
                Set.of());
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("protocolVersion", revision.version());
        result.set("capabilities", offer.capabilities(revision));
        result.set("serverInfo", offer.info().json());
        if (offer.instructions() != null) {
            result.put("instructions", offer.instructions());
        }
        return new Initialized(session, result);
    }

    private static ClientCapabilities capabilities(RequestParams params) {
        ObjectNode declared = params.object("capabilities");
        if (declared.toString().getBytes(StandardCharsets.UTF_8).length > MAX_CAPABILITIES_KB << 10) {
            throw RpcErrorCode.INVALID_PARAMS.exception(
                    "The parameter capabilities must have at most " + MAX_CAPABILITIES_KB + " KB.");
        }
        return new ClientCapabilities(declared);
    }

    /**
     * Executes a request and returns the reply; blocks until then.
     *
     * @param signal cancels the request when the transport notices that the client has disconnected
     */
    public EngineReply answer(RpcMessage.Request request, Peer peer, ReplyStream stream, CancelSignal signal) {
        String scope = peer.scope();
        if (scope != null && !inFlight.add(scope, request.id(), signal)) {
            return failure(
                    request.id(),
                    RpcErrorCode.INVALID_REQUEST.error(
                            "A request with the id " + request.id() + " is still running; use every id once."));
        }
        RunningRequest running = new RunningRequest(request, peer, stream, signal, questions);
        try {
            EngineReply reply = carryOut(request, running);
            return signal.isCancelled() ? new EngineReply.None() : reply;
        } finally {
            running.finish();
            if (scope != null) {
                inFlight.remove(scope, request.id());
            }
        }
    }

    private EngineReply carryOut(RpcMessage.Request request, RunningRequest running) {
        try {
            MethodResult result = methods.call(request.method(), running);
            return new EngineReply.Success(writer.write(request.id(), result, running.era()));
        } catch (RpcException refused) {
            return failure(request.id(), forEra(refused.error(), running.era()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return failure(request.id(), RpcErrorCode.INTERNAL_ERROR.error("The server is stopping; try again."));
        } catch (RuntimeException bug) {
            LOG.error("{} failed", request.method(), bug);
            return failure(
                    request.id(),
                    RpcErrorCode.INTERNAL_ERROR.error("The server failed to carry out the request; its log says why."));
        }
    }

    private static EngineReply failure(RpcId id, RpcError error) {
        try {
            return new EngineReply.Failed(RpcWriter.bytes(new RpcMessage.Failure(id, error)), error);
        } catch (RpcException unwritable) {
            return new EngineReply.Failed(
                    RpcWriter.bytes(new RpcMessage.Failure(id, unwritable.error())), unwritable.error());
        }
    }

    private static RpcError forEra(RpcError error, Era era) {
        return era == Era.MODERN && error.code() == RpcErrorCode.RESOURCE_NOT_FOUND.code()
                ? new RpcError(RpcErrorCode.INVALID_PARAMS.code(), error.message(), error.data())
                : error;
    }

    /** Which arguments of a call must be mirrored in headers. */
    public List<HeaderParameters.Parameter> mirroredArguments(RpcMessage.Request request, Peer peer, String tool) {
        return offer.tools()
                .mirroredArguments(
                        new RunningRequest(request, peer, NoStream.INSTANCE, new CancelSignal(), questions), tool);
    }

    /**
     * Opens the subscription that {@code subscriptions/listen} requests; the transport sends its messages.
     *
     * @return null if there are too many subscriptions
     * @throws RpcException if the parameters are invalid
     */
    public @Nullable Subscription listen(RpcMessage.Request request, Peer peer) throws InterruptedException {
        return listening.open(new RunningRequest(request, peer, NoStream.INSTANCE, new CancelSignal(), questions));
    }

    /**
     * Opens the subscription of a session of the legacy era.
     *
     * @return null if there are too many subscriptions
     */
    public @Nullable Subscription listen(PeerSession session, Object caller) {
        Subscription opened = subscriptions.openFor(
                session,
                caller,
                change -> !(change instanceof ServerChange.ResourceUpdated updated)
                        || session.subscribedResources().contains(updated.uri()),
                new StreamResources());
        if (opened != null) {
            updateResources(session, opened);
        }
        return opened;
    }

    /** Subscribes the stream of a session to what its client has subscribed to, which may be at another instance. */
    public void updateResources(PeerSession session, Subscription stream) {
        OfferedResources resources = offer.resources();
        if (resources != null) {
            new SessionResources(resources, session, stream.caller(), stream.resources()).update();
        }
    }

    /** Handles a notification of a client; unknown ones are ignored, as the protocol requires. */
    public void notified(@Nullable String scope, RpcMessage.Notification notification) {
        if (scope != null && notification.method().equals(McpMethods.CANCELLED)) {
            RpcMessage.Notification cancellation = cancellation(notification.params());
            if (cancellation != null && !receive(scope, cancellation)) {
                relay.forward(scope, cancellation);
            }
        }
    }

    /** A cancellation with what is needed of the client's parameters; null if they are invalid. */
    private static RpcMessage.@Nullable Notification cancellation(@Nullable ObjectNode params) {
        RpcId id = params == null ? null : RpcId.read(params.path("requestId"));
        if (params == null || id == null) {
            return null;
        }
        ObjectNode needed = JsonNodeFactory.instance.objectNode();
        needed.set("requestId", id.json());
        String reason = params.path("reason").asString("");
        if (!reason.isEmpty()) {
            needed.put("reason", reason.substring(0, Math.min(reason.length(), MAX_REASON_LENGTH)));
        }
        return new RpcMessage.Notification(McpMethods.CANCELLED, needed);
    }

    /**
     * Handles a client's answer to a question; false if there is no such question. Blocks while another instance is
     * asked.
     */
    public boolean answered(String scope, RpcMessage.Response response) {
        return receive(scope, response) || (questions.isOfOther(response) && relay.forward(scope, response));
    }

    /** Handles a message that arrived at another instance; false if it is not expected here. */
    public boolean receive(String scope, RpcMessage message) {
        return switch (message) {
            case RpcMessage.Response response -> questions.answer(scope, response);
            case RpcMessage.Notification notification -> cancel(scope, notification.params());
            case RpcMessage.Request _ -> false;
        };
    }

    private boolean cancel(String scope, @Nullable ObjectNode params) {
        JsonNode id = params == null ? null : params.get("requestId");
        RpcId cancelled = id == null ? null : RpcId.read(id);
        if (params == null || cancelled == null) {
            return false;
        }
        String reason = params.path("reason").asString("The client cancelled the request.");
        return inFlight.cancel(scope, cancelled, reason);
    }

    /** Cancels the requests of a session or connection and ends its stream, on this instance. */
    public void endSession(String scope) {
        inFlight.cancelAll(scope, "The session was ended.");
        subscriptions.endSession(scope);
    }

    /** Ends all subscriptions gracefully. */
    @Override
    public void close() {
        subscriptions.finish();
    }
}
