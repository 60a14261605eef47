package dev.toolgate.mcp.jsonrpc;

import tools.jackson.databind.JsonNode;

/** The error codes of JSON-RPC and of all supported revisions of MCP. */
public enum RpcErrorCode {
    PARSE_ERROR(-32700),
    INVALID_REQUEST(-32600),
    METHOD_NOT_FOUND(-32601),
    INVALID_PARAMS(-32602),
    INTERNAL_ERROR(-32603),
    /** Until 2025-11-25; later revisions use {@link #INVALID_PARAMS}. */
    RESOURCE_NOT_FOUND(-32002),
    /** From 2026-07-28: a header contradicts the body, is missing or malformed. */
    HEADER_MISMATCH(-32020),
    /** From 2026-07-28: the client did not declare a capability without which the request cannot be served. */
    MISSING_CLIENT_CAPABILITY(-32021),
    /** From 2026-07-28: the data lists the revisions that are supported. */
    UNSUPPORTED_PROTOCOL_VERSION(-32022),
    /** 2025-11-25 only. */
    URL_ELICITATION_REQUIRED(-32042);

    private final int code;

    RpcErrorCode(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** An error of this kind. */
    public RpcError error(String message) {
        return new RpcError(code, message, null);
    }

    /** An error of this kind with machine-readable data. */
    public RpcError error(String message, JsonNode data) {
        return new RpcError(code, message, data);
    }

    /** An exception with an error of this kind. */
    public RpcException exception(String message) {
        return new RpcException(error(message));
    }
}
