package dev.toolgate.mcp.client.http;

import java.io.IOException;

/** No connection could be made, or the address is not allowed; nothing was sent. */
public final class HttpUnreachable extends IOException {
    private static final long serialVersionUID = 1L;

    public HttpUnreachable(String message, Throwable cause) {
        super(message, cause);
    }
}
