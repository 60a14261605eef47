package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an MCP server answered, for callers that understand it. Bytes are taken out: instead of its data a block has
 * {@value #ARTIFACT}, the index of the output's artifact that has them.
 *
 * @param content the blocks, in the server's order
 * @param meta the server's {@code _meta}
 */
public record ServerResult(ArrayNode content, @Nullable ObjectNode meta) {
    /** The field of a block that says which artifact has its bytes. */
    public static final String ARTIFACT = "artifact";
}
