package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads a list page by page, within limits for pages, items and bytes. */
final class PagedList {
    /**
     * A page.
     *
     * @param bytes its size on the wire
     */
    record Page(ObjectNode result, int bytes) {}

    /** Requests a page. */
    @FunctionalInterface
    interface Source {
        Page page(@Nullable ObjectNode params) throws McpFailure;
    }

    private final String field;
    private final ClientLimits limits;

    PagedList(String field, ClientLimits limits) {
        this.field = field;
        this.limits = limits;
    }

    /** All items that are objects, in the server's order. */
    List<ObjectNode> read(Source source) throws McpFailure {
        List<ObjectNode> items = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        ObjectNode params = null;
        long bytes = 0;
        for (int pages = 1; ; pages++) {
            Page page = source.page(params);
            bytes += page.bytes();
            JsonNode list = page.result().get(field);
            if (list == null || !list.isArray()) {
                throw new McpFailure(
                        McpFailureKind.INVALID_ANSWER, "The server sent a list without the field '" + field + "'.");
            }
            if (items.size() + list.size() > limits.maxItems() || bytes > limits.maxListBytes()) {
                throw tooLarge();
            }
            for (JsonNode item : list) {
                if (item instanceof ObjectNode object) {
                    items.add(object);
                }
            }
            JsonNode cursor = page.result().get("nextCursor");
            if (cursor == null || !cursor.isString()) {
                return items;
            }
            if (pages == limits.maxPages() || !cursors.add(cursor.stringValue())) {
                throw tooLarge();
            }
            params = JsonNodeFactory.instance.objectNode();
            params.set("cursor", cursor);
        }
    }

    private McpFailure tooLarge() {
        return new McpFailure(
                McpFailureKind.TOO_LARGE,
                "The server's list of " + field + " does not end within " + limits.maxPages() + " pages, "
                        + limits.maxItems() + " items and " + limits.maxListBytes() + " bytes.");
    }
}
