package dev.toolgate.mcp.client;

import tools.jackson.databind.node.ObjectNode;

/** Hears of log messages of a server that come with a call. */
@FunctionalInterface
public interface LogListener {
    /** The parameters of a log message; must return at once. */
    void logged(ObjectNode params);
}
