package dev.toolgate.mcp.server.offer;

/** Whether the response to a request reached its client, as far as the transport can know. */
public enum Delivery {
    /** It was written to the connection. */
    WRITTEN,
    /** It was not: the client has disconnected, or cancelled the request. */
    LOST
}
