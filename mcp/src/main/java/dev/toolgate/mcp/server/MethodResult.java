package dev.toolgate.mcp.server;

import dev.toolgate.mcp.server.offer.CacheHint;
import dev.toolgate.mcp.server.offer.ListPage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result of a request before it is written.
 *
 * @param type the {@code resultType} of the modern era
 * @param cache null if results of this method are not cacheable
 */
record MethodResult(
        ObjectNode result, String type, @Nullable CacheHint cache) {
    static MethodResult complete(ObjectNode result) {
        return new MethodResult(result, "complete", null);
    }

    static MethodResult empty() {
        return complete(JsonNodeFactory.instance.objectNode());
    }

    static MethodResult page(String field, ListPage page) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.set(field, page.items());
        if (page.nextCursor() != null) {
            result.put("nextCursor", page.nextCursor());
        }
        return new MethodResult(result, "complete", page.cache());
    }
}
