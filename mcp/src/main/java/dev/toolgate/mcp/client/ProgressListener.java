package dev.toolgate.mcp.client;

import tools.jackson.databind.node.ObjectNode;

/** Receives the progress of a call, on the thread of the call. */
@FunctionalInterface
public interface ProgressListener {
    /** The parameters of the server's notification; their token is this client's. */
    void progressed(ObjectNode params);
}
