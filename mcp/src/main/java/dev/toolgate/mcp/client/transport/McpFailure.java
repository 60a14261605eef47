package dev.toolgate.mcp.client.transport;

import dev.toolgate.mcp.jsonrpc.RpcError;
import org.jspecify.annotations.Nullable;

/** A request to a server failed; the kind says whether the server may have executed it nevertheless. */
public final class McpFailure extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_MESSAGE = 2_000;

    private final McpFailureKind kind;
    private final transient @Nullable RpcError error;

    public McpFailure(McpFailureKind kind, String message) {
        this(kind, message, null, null);
    }

    public McpFailure(McpFailureKind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, null);
    }

    private McpFailure(McpFailureKind kind, String message, @Nullable Throwable cause, @Nullable RpcError error) {
        super(message, cause, false, true);
        this.kind = kind;
        this.error = error;
    }

    /** The server answered with an error; an overlong message is truncated here, but not in the error itself. */
    public static McpFailure answered(RpcError error) {
        String message = error.message();
        return new McpFailure(
                McpFailureKind.SERVER_ERROR,
                message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE) + "…",
                null,
                error);
    }

    /** The same failure for another call, with that call's own stack. */
    public McpFailure again() {
        return new McpFailure(kind, String.valueOf(getMessage()), this, error);
    }

    /**
     * The failure of a request of which the server has already accepted a part, so that it may have run, whatever
     * became of the rest.
     */
    public McpFailure afterAcceptance() {
        return kind.mayHaveRun()
                ? this
                : new McpFailure(
                        McpFailureKind.CONNECTION_LOST,
                        "The server had accepted the request, but its answer could not be obtained: " + getMessage(),
                        this,
                        error);
    }

    public McpFailureKind kind() {
        return kind;
    }

    /** The error that the server answered with; null for every other kind. */
    public @Nullable RpcError error() {
        return error;
    }
}
