package dev.toolgate.mcp.server.offer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * A page of a list in a stable order.
 *
 * @param items never modified, so that they may be shared
 * @param nextCursor the cursor of the next page; null on the last
 */
public record ListPage(ArrayNode items, @Nullable String nextCursor, CacheHint cache) {}
