package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.RequestEncoder.ProgressRequest;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.protocol.ServerCapabilities;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Negotiates the revision with a server. Sends the modern {@code server/discover} first; any answer that is not a
 * modern one means a server of the legacy era, which needs {@code initialize}.
 */
final class Negotiation {
    /** Revisions that servers may answer {@code initialize} with; the two oldest are never requested. */
    private static final Set<String> LEGACY = Set.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    private static final Logger log = LoggerFactory.getLogger(Negotiation.class);
    private static final int MAX_INSTRUCTIONS = 64 << 10;
    private static final CallTimeout LOG_LEVEL_TIMEOUT = CallTimeout.of(Duration.ofSeconds(10));

    private final McpTransport transport;
    private final ClientSettings settings;
    private final AtomicLong ids;
    private final ClientCall.Interim interim;

    Negotiation(McpTransport transport, ClientSettings settings, AtomicLong ids, ClientCall.Interim interim) {
        this.transport = transport;
        this.settings = settings;
        this.ids = ids;
        this.interim = interim;
    }

    /** Detects the era and negotiates the revision. */
    ServerDescription run() throws McpFailure {
        ServerDescription modern = settings.knownEra() == Era.LEGACY ? null : discover();
        return modern == null ? initialize() : modern;
    }

    /** A modern server's description of itself; null if the server is not modern. */
    private @Nullable ServerDescription discover() throws McpFailure {
        RpcMessage.Response answer;
        try {
            answer = ask(McpMethods.DISCOVER);
            if (isUnsupported(answer) && offers(data(answer).path("supported"), Revision.NEWEST)) {
                answer = ask(McpMethods.DISCOVER);
            }
        } catch (McpFailure failed) {
            return switch (failed.kind()) {
                case HTTP_STATUS, INVALID_ANSWER, TIMEOUT, SESSION_LOST, CONNECTION_LOST -> null;
                case SERVER_ERROR,
                        TOO_LARGE,
                        CANCELLED,
                        INPUT_REFUSED,
                        UNREACHABLE,
                        CREDENTIALS_UNAVAILABLE,
                        UNAUTHORIZED,
                        ADDRESS_REFUSED,
                        NOT_SENT -> throw failed;
            };
        }
        return switch (answer) {
            case RpcMessage.Result result -> modern(result.result());
            case RpcMessage.Failure failure -> refused(failure.error());
        };
    }

    private static @Nullable ServerDescription modern(ObjectNode result) {
        if (!offers(result.path("supportedVersions"), Revision.NEWEST)) {
            return null;
        }
        JsonNode server = result.path(MetaKeys.META).path(MetaKeys.SERVER_INFO);
        return new ServerDescription(
                Era.MODERN,
                Revision.NEWEST.version(),
                Implementation.read(server.isObject() ? server : result.get("serverInfo")),
                capabilities(result),
                instructions(result));
    }

    // A modern server that refuses gets no initialize, unless it supports only legacy revisions.
    private static @Nullable ServerDescription refused(RpcError error) throws McpFailure {
        if (error.code() == RpcErrorCode.UNSUPPORTED_PROTOCOL_VERSION.code()) {
            JsonNode supported = error.data() == null ? null : error.data().get("supported");
            for (Revision revision : Revision.values()) {
                if (revision.era() == Era.LEGACY && supported != null && offers(supported, revision)) {
                    return null;
                }
            }
            throw new McpFailure(
                    McpFailureKind.INVALID_ANSWER,
                    "The server speaks none of the revisions " + String.join(", ", Revision.versions()) + ".");
        }
        if (error.code() == RpcErrorCode.HEADER_MISMATCH.code()
                || error.code() == RpcErrorCode.MISSING_CLIENT_CAPABILITY.code()) {
            throw McpFailure.answered(error);
        }
        return null;
    }

    /** Begins a session of the legacy era. */
    ServerDescription initialize() throws McpFailure {
        RpcMessage.Response answer = ask(McpMethods.INITIALIZE);
        if (answer instanceof RpcMessage.Failure failure) {
            throw McpFailure.answered(failure.error());
        }
        ObjectNode result = ((RpcMessage.Result) answer).result();
        String version = result.path("protocolVersion").asString("");
        if (!LEGACY.contains(version)) {
            throw new McpFailure(
                    McpFailureKind.INVALID_ANSWER,
                    "The server answered initialize with a revision that is not supported; known are "
                            + String.join(", ", Revision.versions()) + ".");
        }
        ServerDescription description = new ServerDescription(
                Era.LEGACY,
                version,
                Implementation.read(result.get("serverInfo")),
                capabilities(result),
                instructions(result));
        transport.send(
                new RpcMessage.Notification(McpMethods.INITIALIZED, null),
                ProtocolHeaders.of(Era.LEGACY, version, McpMethods.INITIALIZED, null, List.of()));
        LogLevel level = settings.logLevel();
        if (level != null && description.capabilities().hasLogging() && transport.hasStreamPerRequest()) {
            setLogLevel(level, version);
        }
        return description;
    }

    // Servers of the legacy era may send no log messages before; one that refuses is used without them.
    private void setLogLevel(LogLevel level, String version) {
        long id = ids.incrementAndGet();
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("level", level.wireName());
        Map<String, String> headers =
                ProtocolHeaders.of(Era.LEGACY, version, McpMethods.SET_LOG_LEVEL, params, List.of());
        try {
            byte[] body = new RequestEncoder(null, settings.client(), settings.capabilities())
                    .encode(id, McpMethods.SET_LOG_LEVEL, params, null, CallOptions.DEFAULT, ProgressRequest.NO);
            RpcMessage.Response answer = transport.exchange(
                    new ClientCall(RpcId.of(id), McpMethods.SET_LOG_LEVEL, body, headers, LOG_LEVEL_TIMEOUT, interim));
            if (answer instanceof RpcMessage.Failure refused) {
                log.debug("A server refused the log level: {}", refused.error().message());
            }
        } catch (McpFailure failed) {
            log.debug("The log level of a server could not be set: {}", failed.getMessage());
        }
    }

    private RpcMessage.Response ask(String method) throws McpFailure {
        boolean modern = method.equals(McpMethods.DISCOVER);
        String version = (modern ? Revision.NEWEST : Revision.NEWEST_LEGACY).version();
        long id = ids.incrementAndGet();
        byte[] body = new RequestEncoder(modern ? version : null, settings.client(), settings.capabilities())
                .encode(id, method, modern ? null : hello(version), null, CallOptions.DEFAULT, ProgressRequest.NO);
        Map<String, String> headers =
                modern ? ProtocolHeaders.of(Era.MODERN, version, method, null, List.of()) : ProtocolHeaders.none();
        CallTimeout timeout = modern ? CallTimeout.of(settings.probeTimeout()) : settings.timeout();
        return transport.exchange(new ClientCall(RpcId.of(id), method, body, headers, timeout, interim));
    }

    private ObjectNode hello(String version) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("protocolVersion", version);
        ClientCapabilities declared = settings.capabilities();
        params.set("capabilities", declared.json());
        params.set("clientInfo", settings.client().json());
        return params;
    }

    private static boolean isUnsupported(RpcMessage.Response answer) {
        return answer instanceof RpcMessage.Failure failure
                && failure.error().code() == RpcErrorCode.UNSUPPORTED_PROTOCOL_VERSION.code();
    }

    private static JsonNode data(RpcMessage.Response answer) {
        JsonNode data =
                answer instanceof RpcMessage.Failure failure ? failure.error().data() : null;
        return data == null ? JsonNodeFactory.instance.missingNode() : data;
    }

    private static boolean offers(JsonNode versions, Revision revision) {
        for (JsonNode version : versions) {
            if (version.isString() && version.stringValue().equals(revision.version())) {
                return true;
            }
        }
        return false;
    }

    private static ServerCapabilities capabilities(ObjectNode result) {
        ServerCapabilities declared = ServerCapabilities.read(result.get("capabilities"));
        return declared == null ? ServerCapabilities.NONE : declared;
    }

    private static @Nullable String instructions(ObjectNode result) {
        JsonNode text = result.get("instructions");
        if (text == null || !text.isString()) {
            return null;
        }
        String value = text.stringValue();
        return value.length() <= MAX_INSTRUCTIONS ? value : value.substring(0, MAX_INSTRUCTIONS);
    }
}
