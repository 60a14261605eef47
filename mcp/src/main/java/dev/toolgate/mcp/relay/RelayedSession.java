package dev.toolgate.mcp.relay;

import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.protocol.McpHeaders;
import dev.toolgate.mcp.protocol.McpMethods;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session of a client of the legacy era. A pair of pipes has one session; if the server loses it, it is restarted
 * with the client's own {@code initialize}, transparently to the client.
 */
final class RelayedSession {
    private static final CallTimeout BEGIN_TIMEOUT = CallTimeout.of(Duration.ofSeconds(30));

    private final McpTransport server;
    private RpcMessage.@Nullable Request initialize;
    private Map<String, String> headers = Map.of();
    private int begun;

    RelayedSession(McpTransport server) {
        this.server = server;
    }

    /** Begins the session with the client's request. */
    synchronized RpcMessage.Response begin(RpcMessage.Request request) throws McpFailure {
        RpcMessage.Response answer = exchange(request);
        if (answer instanceof RpcMessage.Result result) {
            initialize = request;
            headers = Map.of(
                    McpHeaders.PROTOCOL_VERSION,
                    McpHeaders.encode(result.result().path("protocolVersion").asString("")));
            begun++;
        }
        return answer;
    }

    private RpcMessage.Response exchange(RpcMessage.Request request) throws McpFailure {
        return server.exchange(new ClientCall(
                request.id(), request.method(), RpcWriter.bytes(request), Map.of(), BEGIN_TIMEOUT, _ -> {}));
    }

    /** The number of the current session; {@link #renew} takes the one that a refused request belonged to. */
    synchronized int number() {
        return begun;
    }

    /** The headers of the session's requests. */
    synchronized Map<String, String> headers() {
        return headers;
    }

    /** Restarts the session, unless another request has already done so. */
    synchronized void renew(int lost) throws McpFailure {
        RpcMessage.Request first = initialize;
        if (first == null || lost != begun) {
            return;
        }
        RpcMessage.Response answer =
                begin(new RpcMessage.Request(RpcId.of("relay-" + begun), first.method(), first.params()));
        if (answer instanceof RpcMessage.Failure failure) {
            throw new McpFailure(
                    McpFailureKind.SESSION_LOST,
                    "The server lost the session and refused a new one: "
                            + failure.error().message());
        }
        server.send(new RpcMessage.Notification(McpMethods.INITIALIZED, null), headers);
        server.listen(headers);
    }
}
