package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result as an MCP server sent it, for callers that speak MCP. Binary data is moved to artifacts: instead of its
 * data a block has {@value #ARTIFACT}, the index of the output's artifact with the bytes.
 *
 * @param content the blocks, in the server's order
 * @param meta the server's {@code _meta}
 */
public record ServerResult(ArrayNode content, @Nullable ObjectNode meta) {
    /** The field of a block that says which artifact has its bytes. */
    public static final String ARTIFACT = "artifact";
}
