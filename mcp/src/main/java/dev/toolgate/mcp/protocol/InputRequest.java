package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server's request for input from a client during a call: a JSON-RPC request in the legacy era, an entry of {@code
 * inputRequests} in the modern one. The parameters are relayed unchanged.
 */
public record InputRequest(Kind kind, @Nullable ObjectNode params) {

    /** The kind of input. */
    public enum Kind {
        ELICIT_FORM(McpMethods.ELICIT),
        ELICIT_URL(McpMethods.ELICIT),
        SAMPLE(McpMethods.SAMPLE),
        LIST_ROOTS(McpMethods.ROOTS_LIST);

        private final String method;

        Kind(String method) {
            this.method = method;
        }

        /** The method on the wire. */
        public String method() {
            return method;
        }

        /** Whether a client declared the capability for it. */
        public boolean isDeclaredBy(ClientCapabilities client) {
            return switch (this) {
                case ELICIT_FORM -> client.elicitsForms();
                case ELICIT_URL -> client.elicitsUrls();
                case SAMPLE -> client.samples();
                case LIST_ROOTS -> client.listsRoots();
            };
        }

        /** The capabilities that a client must declare for it. */
        public ObjectNode requiredCapabilities() {
            ObjectNode capabilities = JsonNodeFactory.instance.objectNode();
            switch (this) {
                case ELICIT_FORM -> capabilities.putObject("elicitation").putObject("form");
                case ELICIT_URL -> capabilities.putObject("elicitation").putObject("url");
                case SAMPLE -> capabilities.putObject("sampling");
                case LIST_ROOTS -> capabilities.putObject("roots");
            }
            return capabilities;
        }
    }

    /** A form for a person. */
    public static InputRequest form(String message, ObjectNode requestedSchema) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        // No mode: the default is a form in every revision, and the first had no modes.
        params.put("message", message).set("requestedSchema", requestedSchema);
        return new InputRequest(Kind.ELICIT_FORM, params);
    }

    /** A URL for a person to open. */
    public static InputRequest url(String message, String url) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("mode", "url").put("message", message).put("url", url);
        return new InputRequest(Kind.ELICIT_URL, params);
    }

    /** As an entry of {@code inputRequests}. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("method", kind.method());
        if (params != null) {
            json.set("params", params);
        }
        return json;
    }

    /** Reads a request by its method and parameters; null if the method is not an input request. */
    public static @Nullable InputRequest read(String method, @Nullable JsonNode params) {
        Kind kind =
                switch (method) {
                    case McpMethods.ELICIT ->
                        params != null && params.path("mode").asString("form").equals("url")
                                ? Kind.ELICIT_URL
                                : Kind.ELICIT_FORM;
                    case McpMethods.SAMPLE -> Kind.SAMPLE;
                    case McpMethods.ROOTS_LIST -> Kind.LIST_ROOTS;
                    default -> null;
                };
        return kind == null ? null : new InputRequest(kind, params instanceof ObjectNode object ? object : null);
    }
}
