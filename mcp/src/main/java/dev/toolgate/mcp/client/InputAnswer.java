package dev.toolgate.mcp.client;

import tools.jackson.databind.node.ObjectNode;

/** What a server is told that asked for input. */
public sealed interface InputAnswer {
    /** The result of the request, as it stands in a message. */
    record Given(ObjectNode result) implements InputAnswer {}

    /** There is no answer; the reason is told to the server where the protocol has a place for it. */
    record Refused(String reason) implements InputAnswer {}
}
