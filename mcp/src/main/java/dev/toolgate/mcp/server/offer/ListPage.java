package dev.toolgate.mcp.server.offer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * A page of a list, in an order that stays the same.
 *
 * @param items written as they are and never changed, so that they may be shared
 * @param nextCursor what asks for the next page; null on the last
 */
public record ListPage(ArrayNode items, @Nullable String nextCursor, CacheHint cache) {}
