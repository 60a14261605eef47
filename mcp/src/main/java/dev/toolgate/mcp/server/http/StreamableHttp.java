package dev.toolgate.mcp.server.http;

import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.McpHeaders;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.EngineReply;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ModernRequests;
import dev.toolgate.mcp.server.Peer;
import dev.toolgate.mcp.server.SessionRecord;
import dev.toolgate.mcp.server.SessionStore;
import dev.toolgate.mcp.server.Subscription;
import dev.toolgate.mcp.server.offer.CancelSignal;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Streamable HTTP for all revisions on one endpoint: which requests are accepted, which era they belong to, and which
 * status they are answered with. The body is authoritative; headers are only compared with it.
 */
public final class StreamableHttp implements AutoCloseable {
    private static final int MAX_SESSION_ID_LENGTH = 512;

    /** Protocol errors, which the modern era answers with 400 for any request. */
    private static final Set<Integer> BAD_REQUESTS = Set.of(
            RpcErrorCode.PARSE_ERROR.code(),
            RpcErrorCode.INVALID_REQUEST.code(),
            RpcErrorCode.HEADER_MISMATCH.code(),
            RpcErrorCode.MISSING_CLIENT_CAPABILITY.code(),
            RpcErrorCode.UNSUPPORTED_PROTOCOL_VERSION.code());

    private final McpEngine engine;
    private final SessionStore sessions;
    private final RpcReader reader;
    private final OriginPolicy origins;
    private final StreamSettings settings;
    private final LongRequests longRequests;

    public StreamableHttp(
            McpEngine engine, SessionStore sessions, RpcReader reader, OriginPolicy origins, StreamSettings settings) {
        this.engine = engine;
        this.sessions = sessions;
        this.reader = reader;
        this.origins = origins;
        this.settings = settings;
        this.longRequests = new LongRequests(settings);
        longRequests.start();
    }

    /** Answers a request; blocks until the response is complete or, if it is a stream, has ended. */
    public HttpReply handle(HttpInput input, HttpOutput output) throws InterruptedException {
        if (!origins.allows(input.header("Origin"))) {
            return failure(403, null, "Requests from pages of this origin are not allowed.");
        }
        return switch (input.method()) {
            case "POST" -> post(input, output);
            case "GET" -> get(input, output);
            case "DELETE" -> delete(input);
            default -> new HttpReply.Empty(405, Map.of("Allow", "GET, POST, DELETE"));
        };
    }

    private HttpReply post(HttpInput input, HttpOutput output) throws InterruptedException {
        if (!isJson(input.header("Content-Type"))) {
            return failure(415, null, "The body must be application/json in UTF-8.");
        }
        AcceptedTypes accepted = AcceptedTypes.of(input.header("Accept"));
        if (!accepted.json()) {
            return failure(406, null, "The client must accept application/json and text/event-stream.");
        }
        RpcMessage message;
        try {
            message = reader.read(input.body());
        } catch (RpcException malformed) {
            return failure(400, malformed.id(), malformed.error());
        }
        return switch (message) {
            case RpcMessage.Request request -> request(input, output, request, accepted);
            case RpcMessage.Notification notification -> notification(input, notification);
            case RpcMessage.Response response -> response(input, response);
        };
    }

    private static boolean isJson(@Nullable String type) {
        if (type == null) {
            return false;
        }
        int semicolon = type.indexOf(';');
        String media = semicolon < 0 ? type : type.substring(0, semicolon);
        String rest = semicolon < 0 ? "" : type.substring(semicolon + 1).toLowerCase(Locale.ROOT);
        return media.strip().equalsIgnoreCase("application/json")
                && (!rest.contains("charset") || rest.contains("utf-8"));
    }

    private HttpReply request(HttpInput input, HttpOutput output, RpcMessage.Request request, AcceptedTypes accepted)
            throws InterruptedException {
        JsonNode meta = request.params() == null ? null : request.params().get(MetaKeys.META);
        JsonNode version = meta == null ? null : meta.get(MetaKeys.PROTOCOL_VERSION);
        if (version != null) {
            return modern(input, output, request, accepted);
        }
        if (request.method().equals(McpMethods.INITIALIZE)) {
            return initialize(input, request);
        }
        if (input.header(McpHeaders.SESSION_ID) == null) {
            return isMeantModern(input, request, meta)
                    ? modern(input, output, request, accepted)
                    : failure(
                            400,
                            request.id(),
                            "The request has no session: send initialize first, or the metadata that "
                                    + Revision.NEWEST.version() + " requires with every request.");
        }
        return legacy(input, output, request, accepted);
    }

    /** Whether a request without a revision was meant to be a modern one; this only selects the error message. */
    private static boolean isMeantModern(HttpInput input, RpcMessage.Request request, @Nullable JsonNode meta) {
        Revision header = Revision.of(String.valueOf(input.header(McpHeaders.PROTOCOL_VERSION)));
        return request.method().equals(McpMethods.DISCOVER)
                || (header != null && header.era() == Era.MODERN)
                || (meta != null && meta.has(MetaKeys.CLIENT_CAPABILITIES));
    }

    private HttpReply modern(HttpInput input, HttpOutput output, RpcMessage.Request request, AcceptedTypes accepted)
            throws InterruptedException {
        Peer peer;
        try {
            HeaderCheck headers = new HeaderCheck(input);
            peer = ModernRequests.peer(request, input.caller(), null, headers::version);
            headers.method(request);
            headers.name(request);
            ObjectNode params = request.params();
            if (request.method().equals(McpMethods.TOOLS_CALL) && params != null) {
                String tool = params.path("name").asString("");
                headers.arguments(engine.mirroredArguments(request, peer, tool), params.path("arguments"));
            }
            if (request.method().equals(McpMethods.LISTEN)) {
                return listen(output, request, peer, accepted);
            }
        } catch (RpcException malformed) {
            return failure(400, request.id(), malformed.error());
        }
        CancelSignal signal = new CancelSignal();
        HttpReplyStream stream = new HttpReplyStream(
                output, accepted.events(), () -> signal.cancel("The client closed the connection."));
        return answer(output, request, peer, stream, signal);
    }

    private HttpReply legacy(HttpInput input, HttpOutput output, RpcMessage.Request request, AcceptedTypes accepted) {
        FoundSession session = session(input);
        if (session == null) {
            return noSession(request.id());
        }
        if (!hasLegacyVersion(input)) {
            return wrongVersion(request.id());
        }
        // Unlike in the modern era a lost connection cancels nothing: the client sends a cancellation.
        HttpReplyStream stream = new HttpReplyStream(output, accepted.events(), () -> {});
        return answer(output, request, Peer.of(session, input.caller()), stream, new CancelSignal());
    }

    private HttpReply answer(
            HttpOutput output, RpcMessage.Request request, Peer peer, HttpReplyStream stream, CancelSignal signal) {
        output.onDisconnect(stream::gone);
        longRequests.add(stream);
        EngineReply reply;
        try {
            reply = engine.answer(request, peer, stream, signal);
        } finally {
            longRequests.remove(stream);
        }
        return switch (reply) {
            case EngineReply.Success success -> stream.finish(success.message(), json(200, success.message()));
            case EngineReply.Failed failed ->
                stream.finish(
                        failed.message(),
                        json(status(failed.error(), peer.revision().era()), failed.message()));
            case EngineReply.None _ -> stream.finish(null, new HttpReply.Empty(202, Map.of()));
        };
    }

    private static int status(RpcError error, Era era) {
        if (era == Era.LEGACY) {
            return 200;
        }
        if (error.code() == RpcErrorCode.METHOD_NOT_FOUND.code()) {
            return 404;
        }
        return BAD_REQUESTS.contains(error.code()) ? 400 : 200;
    }

    private HttpReply initialize(HttpInput input, RpcMessage.Request request) {
        try {
            McpEngine.Initialized begun = engine.initialize(request, input.callerKey());
            String id = sessions.create(begun.session());
            return new HttpReply.Json(
                    200,
                    Map.of(McpHeaders.SESSION_ID, id),
                    RpcWriter.bytes(new RpcMessage.Result(request.id(), begun.result())));
        } catch (RpcException refused) {
            return failure(200, request.id(), refused.error());
        }
    }

    private HttpReply notification(HttpInput input, RpcMessage.Notification notification) {
        if (input.header(McpHeaders.SESSION_ID) != null) {
            FoundSession session = session(input);
            if (session == null) {
                return noSession(null);
            }
            engine.notified(session.id(), notification);
        }
        return new HttpReply.Empty(202, Map.of());
    }

    private HttpReply response(HttpInput input, RpcMessage.Response response) {
        if (input.header(McpHeaders.SESSION_ID) == null) {
            return failure(400, null, "A response must have a session; the session header is missing.");
        }
        FoundSession session = session(input);
        if (session == null) {
            return noSession(null);
        }
        return engine.answered(session.id(), response)
                ? new HttpReply.Empty(202, Map.of())
                : failure(400, null, "No pending request matches this response.");
    }

    private HttpReply get(HttpInput input, HttpOutput output) throws InterruptedException {
        if (input.header(McpHeaders.SESSION_ID) == null) {
            return new HttpReply.Empty(405, Map.of("Allow", "POST"));
        }
        if (!AcceptedTypes.of(input.header("Accept")).events()) {
            return failure(406, null, "The client must accept text/event-stream.");
        }
        FoundSession session = session(input);
        if (session == null) {
            return noSession(null);
        }
        if (!hasLegacyVersion(input)) {
            return wrongVersion(null);
        }
        Subscription subscription = engine.listen(session, input.caller());
        return subscription == null ? tooManyStreams(null) : send(subscription, output, null, session);
    }

    private HttpReply listen(HttpOutput output, RpcMessage.Request request, Peer peer, AcceptedTypes accepted)
            throws InterruptedException {
        if (!accepted.events()) {
            return failure(406, request.id(), "The client must accept text/event-stream.");
        }
        Subscription subscription = engine.listen(request, peer);
        return subscription == null ? tooManyStreams(request.id()) : send(subscription, output, request.id(), null);
    }

    /** Sends the messages of a subscription until either side ends it. */
    private HttpReply send(
            Subscription subscription, HttpOutput output, @Nullable RpcId id, @Nullable FoundSession session)
            throws InterruptedException {
        try (subscription) {
            output.onDisconnect(subscription::close);
            StreamSink sink = output.open(EventEncoder.HEADERS);
            if (sink == null) {
                return tooManyStreams(id);
            }
            sink.write(EventEncoder.keepAlive());
            boolean open = true;
            long checked = System.nanoTime();
            while (open) {
                switch (subscription.next(settings.keepAlive())) {
                    case Subscription.Send message ->
                        message.to(sent -> sink.write(EventEncoder.message(RpcWriter.bytes(sent))));
                    case Subscription.Idle _ -> sink.write(EventEncoder.keepAlive());
                    case Subscription.End _ -> open = false;
                }
                if (open
                        && session != null
                        && System.nanoTime() - checked >= settings.keepAlive().toNanos()) {
                    // The session may have been ended, or its subscriptions changed, at another instance.
                    open = sessions.find(session.id()) != null;
                    if (open) {
                        engine.updateResources(session, subscription);
                    }
                    checked = System.nanoTime();
                }
            }
            sink.close();
        } catch (IOException gone) {
            // the client has disconnected, which ends the subscription
        }
        return new HttpReply.Streamed();
    }

    private HttpReply delete(HttpInput input) {
        if (input.header(McpHeaders.SESSION_ID) == null) {
            return new HttpReply.Empty(405, Map.of("Allow", "POST"));
        }
        FoundSession session = session(input);
        if (session == null) {
            return noSession(null);
        }
        sessions.delete(session.id());
        engine.endSession(session.id());
        return new HttpReply.Empty(204, Map.of());
    }

    /** The session of a request; null if it does not exist or belongs to another caller. */
    private @Nullable FoundSession session(HttpInput input) {
        String id = input.header(McpHeaders.SESSION_ID);
        if (id == null || id.isEmpty() || id.length() > MAX_SESSION_ID_LENGTH) {
            return null;
        }
        SessionRecord record = sessions.find(id);
        return record == null || !record.caller().equals(input.callerKey())
                ? null
                : new FoundSession(sessions, id, record);
    }

    /** Clients of the legacy era may omit the header: the session has its revision. */
    private static boolean hasLegacyVersion(HttpInput input) {
        String version = input.header(McpHeaders.PROTOCOL_VERSION);
        Revision revision = version == null ? null : Revision.of(version);
        return version == null || (revision != null && revision.era() == Era.LEGACY);
    }

    private static HttpReply wrongVersion(@Nullable RpcId id) {
        return failure(
                400,
                id,
                "The header " + McpHeaders.PROTOCOL_VERSION + " must have the revision that the session began with.");
    }

    private static HttpReply noSession(@Nullable RpcId id) {
        return failure(404, id, "There is no such session, or not any more; send initialize to begin a new one.");
    }

    private static HttpReply tooManyStreams(@Nullable RpcId id) {
        return failure(503, id, "Too many open subscriptions; try again later.");
    }

    private static HttpReply failure(int status, @Nullable RpcId id, String message) {
        return failure(status, id, RpcErrorCode.INVALID_REQUEST.error(message));
    }

    private static HttpReply failure(int status, @Nullable RpcId id, RpcError error) {
        return json(status, RpcWriter.bytes(new RpcMessage.Failure(id, error)));
    }

    private static HttpReply json(int status, byte[] body) {
        return new HttpReply.Json(status, Map.of(), body);
    }

    /** Stops the keep-alives; the engine ends the subscriptions. */
    @Override
    public void close() {
        longRequests.close();
    }
}
