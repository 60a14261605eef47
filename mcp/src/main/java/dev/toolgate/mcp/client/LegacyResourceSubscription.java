package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Resource subscriptions with a server of the legacy era. */
final class LegacyResourceSubscription implements McpSubscription {
    private final McpClient client;
    private final List<String> uris;
    private volatile boolean open = true;

    private LegacyResourceSubscription(McpClient client, List<String> uris) {
        this.client = client;
        this.uris = uris;
    }

    static LegacyResourceSubscription open(McpClient client, ObjectNode filter) throws McpFailure {
        List<String> uris = new ArrayList<>();
        for (JsonNode uri : filter.path("resourceSubscriptions")) {
            client.request(McpMethods.RESOURCES_SUBSCRIBE, params(uri.asString("")), CallOptions.DEFAULT);
            uris.add(uri.asString(""));
        }
        return new LegacyResourceSubscription(client, uris);
    }

    private static ObjectNode params(String uri) {
        return JsonNodeFactory.instance.objectNode().put("uri", uri);
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        for (String uri : uris) {
            try {
                client.request(McpMethods.RESOURCES_UNSUBSCRIBE, params(uri), CallOptions.DEFAULT);
            } catch (McpFailure gone) {
                return; // the subscriptions end with the connection
            }
        }
    }
}
