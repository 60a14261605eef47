package dev.toolgate.mcp.server.offer;

import tools.jackson.databind.node.ObjectNode;

/** Suggestions for arguments of prompts and resource templates. */
@FunctionalInterface
public interface OfferedCompletions {

    /** Completes an argument; takes the parameters and gives the result as they are on the wire. */
    ObjectNode complete(RequestContext context, ObjectNode params) throws InterruptedException;
}
