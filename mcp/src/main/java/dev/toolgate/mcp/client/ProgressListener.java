package dev.toolgate.mcp.client;

import tools.jackson.databind.node.ObjectNode;

/** Hears how far a call has come, on the thread of the call. */
@FunctionalInterface
public interface ProgressListener {
    /** The parameters of the server's notification; the token in them is ours. */
    void progressed(ObjectNode params);
}
