package dev.toolgate.core.call;

import tools.jackson.databind.node.ObjectNode;

/**
 * Input that a tool requests from its caller during a call, as an MCP request.
 *
 * @param method for example {@code elicitation/create}
 */
public record NeededInput(String method, ObjectNode params) {
    /** The key of a failure detail: the capabilities that the caller's client would have to declare. */
    public static final String CAPABILITIES = "requiredCapabilities";
}
