package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.ProgressUpdate;
import dev.toolgate.mcp.protocol.Revision;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One request, as its handler sees it. */
public interface RequestContext {

    RpcId id();

    Revision revision();

    /** The client's name and version; null if not given. Untrusted. */
    @Nullable
    Implementation client();

    ClientCapabilities capabilities();

    /** The caller object that the transport was given. */
    Object caller();

    /** The session of the request; null in the modern era. */
    @Nullable
    String sessionId();

    /** The metadata of the request; an empty object if there is none. */
    ObjectNode meta();

    /** The token for progress; null if the client did not request progress. */
    @Nullable
    RpcId progressToken();

    /** Whether a tool call may become a task: the client declared tasks or, in 2025-11-25, requested one. */
    boolean acceptsTask();

    /** Whether the client can be asked for this, by {@link CallOutcome.InputRequired} in any era. */
    boolean canAsk(InputRequest.Kind kind);

    /** Whether messages can reach the client before the response. */
    boolean canStream();

    CancelSignal cancelSignal();

    /**
     * Registers a listener that is called exactly once, when the response to this request was written or is lost. For
     * what may be forgotten only after the client has it.
     */
    void onDelivery(Consumer<Delivery> listener);

    /** Reports progress, if the client requested it and it has increased. */
    void report(ProgressUpdate update);

    /** Sends a log message, if the client's log level includes it. */
    void log(LogLevel level, @Nullable String logger, JsonNode data);

    /** Relays a notification that belongs to this request, for example from an upstream server. */
    void send(RpcMessage.Notification notification);

    /**
     * Asks the client during the request, in the legacy era only: a modern client is asked by {@link
     * CallOutcome.InputRequired}.
     *
     * @return null on a timeout, if the client disconnected or the request was cancelled
     */
    RpcMessage.@Nullable Response ask(InputRequest request, Duration timeout) throws InterruptedException;
}
