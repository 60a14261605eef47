package dev.toolgate.mcp.client;

import tools.jackson.databind.node.ObjectNode;

/** Receives the log messages that a server sends during a call. */
@FunctionalInterface
public interface LogListener {
    /** The parameters of a log message; must return at once. */
    void logged(ObjectNode params);
}
