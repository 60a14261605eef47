package dev.toolgate.mcp.client;

import tools.jackson.databind.node.ObjectNode;

/** The answer to a server's input request. */
public sealed interface InputAnswer {
    /** The result of the request, as it stands in a message. */
    record Given(ObjectNode result) implements InputAnswer {}

    /** No answer; the reason is sent to the server where the protocol has a field for it. */
    record Refused(String reason) implements InputAnswer {}
}
