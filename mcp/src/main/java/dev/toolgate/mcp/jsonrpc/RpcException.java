package dev.toolgate.mcp.jsonrpc;

import org.jspecify.annotations.Nullable;

/** Answers a request with an error. An expected outcome rather than a bug, so it has no stack trace. */
public final class RpcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RpcError error;
    private final transient @Nullable RpcId id;

    public RpcException(RpcError error) {
        this(error, null);
    }

    /**
     * For a malformed message whose id could be read.
     *
     * @param id null if it could not be read
     */
    public RpcException(RpcError error, @Nullable RpcId id) {
        super(error.message(), null, false, false);
        this.error = error;
        this.id = id;
    }

    /** The error to answer with. */
    public RpcError error() {
        return error;
    }

    /** The id of the malformed message, where it could be read. */
    public @Nullable RpcId id() {
        return id;
    }
}
