package dev.toolgate.mcp.server.offer;

import tools.jackson.databind.node.ObjectNode;

/** Suggestions for arguments of prompts and resource templates. */
@FunctionalInterface
public interface OfferedCompletions {

    /** Completes an argument; parameters and result are those on the wire. */
    ObjectNode complete(RequestContext context, ObjectNode params) throws InterruptedException;
}
