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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One request, as whoever carries it out sees it. */
public interface RequestContext {

    RpcId id();

    Revision revision();

    /** What the client says of itself; null if it says nothing. Not to be trusted. */
    @Nullable
    Implementation client();

    ClientCapabilities capabilities();

    /** Who sent the request: the object that the transport was given. */
    Object caller();

    /** The session of the request; null in the modern era, which has none. */
    @Nullable
    String sessionId();

    /** The metadata of the request; an empty object if there is none. */
    ObjectNode meta();

    /** The token for progress; null if the client wants no progress. */
    @Nullable
    RpcId progressToken();

    /** Whether a tool call may become a task: the client declared tasks or, in 2025-11-25, asked for one. */
    boolean acceptsTask();

    /** Whether the client can be asked for this, by {@link CallOutcome.InputRequired} in any era. */
    boolean canAsk(InputRequest.Kind kind);

    /** Whether messages can reach the client before the response. */
    boolean canStream();

    CancelSignal cancelSignal();

    /** Reports progress, if the client wants it and it is more than before. */
    void report(ProgressUpdate update);

    /** Sends a log message, if the client wants messages of this level. */
    void log(LogLevel level, @Nullable String logger, JsonNode data);

    /** Passes on a notification that belongs to this request, such as one of a server behind this one. */
    void send(RpcMessage.Notification notification);

    /**
     * Asks the client while the request goes on, in the legacy era only: a modern client is asked by {@link
     * CallOutcome.InputRequired}.
     *
     * @return null if no answer came in time, the client is gone or the request was cancelled
     */
    RpcMessage.@Nullable Response ask(InputRequest request, Duration timeout) throws InterruptedException;
}
