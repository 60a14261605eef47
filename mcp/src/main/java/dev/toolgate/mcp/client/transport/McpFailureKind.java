package dev.toolgate.mcp.client.transport;

/** Why a request to a server failed. */
public enum McpFailureKind {
    /** The server answered with a JSON-RPC error. */
    SERVER_ERROR(Receipt.CERTAIN),
    /** The server answered with something that is no answer to the request. */
    INVALID_ANSWER(Receipt.POSSIBLE),
    /** The answer exceeds a limit and was not read to its end. */
    TOO_LARGE(Receipt.POSSIBLE),
    /** No answer came in time; the request was cancelled. */
    TIMEOUT(Receipt.POSSIBLE),
    /** The caller cancelled the request, or its thread was interrupted. */
    CANCELLED(Receipt.POSSIBLE),
    /** The server requests input that this client does not provide, or requests it too often. */
    INPUT_REFUSED(Receipt.POSSIBLE),
    /** The connection ended before the answer came. */
    CONNECTION_LOST(Receipt.POSSIBLE),
    /** No connection could be made, so nothing was sent. */
    UNREACHABLE(Receipt.NONE),
    /** The credentials cannot be got now, for example because their issuer cannot be reached; nothing was executed. */
    CREDENTIALS_UNAVAILABLE(Receipt.NONE),
    /** The server refuses the credentials, or there are none. */
    UNAUTHORIZED(Receipt.NONE),
    /** The server no longer knows the session and refused the request. */
    SESSION_LOST(Receipt.NONE),
    /** The server's address is not allowed, for example because it is not encrypted. */
    ADDRESS_REFUSED(Receipt.NONE),
    /** The request cannot be sent: it exceeds a limit or the connection has been closed here. */
    NOT_SENT(Receipt.NONE),
    /** The server answered with an HTTP status that is no answer to the request. */
    HTTP_STATUS(Receipt.POSSIBLE);

    private enum Receipt {
        NONE,
        POSSIBLE,
        CERTAIN
    }

    private final Receipt receipt;

    McpFailureKind(Receipt receipt) {
        this.receipt = receipt;
    }

    /** Whether the server may have executed the request, so that a retry could execute it twice. */
    public boolean mayHaveRun() {
        return receipt != Receipt.NONE;
    }
}
