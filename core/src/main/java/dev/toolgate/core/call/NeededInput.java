package dev.toolgate.core.call;

import tools.jackson.databind.node.ObjectNode;

/**
 * What a tool needs from its caller in the middle of a call, in the words of MCP.
 *
 * @param method for example {@code elicitation/create}
 */
public record NeededInput(String method, ObjectNode params) {
    /** The detail of a failure that says which capabilities the caller's client would have to declare. */
    public static final String CAPABILITIES = "requiredCapabilities";
}
