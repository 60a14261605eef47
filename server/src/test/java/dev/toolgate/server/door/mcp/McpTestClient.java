package dev.toolgate.server.door.mcp;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A minimal MCP client of either era. */
final class McpTestClient {
    static final String MODERN = "2026-07-28";

    private final Client http;
    private final @Nullable String session;
    private final String capabilities;
    private final String path;
    private final AtomicInteger ids = new AtomicInteger();

    /** The eras of the protocol. */
    enum Era {
        LEGACY,
        MODERN
    }

    private McpTestClient(Client http, @Nullable String session, String capabilities) {
        this(http, session, capabilities, "/mcp");
    }

    private McpTestClient(Client http, @Nullable String session, String capabilities, String path) {
        this.path = path;
        this.http = http.with("Accept", "application/json, text/event-stream");
        this.session = session;
        this.capabilities = capabilities;
    }

    /** A client that is ready to call. */
    static McpTestClient of(Client http, Era era) {
        return switch (era) {
            case MODERN -> modern(http, "{}");
            case LEGACY -> legacy(http);
        };
    }

    static McpTestClient modern(Client http, String capabilities) {
        return new McpTestClient(http, null, capabilities);
    }

    private static McpTestClient legacy(Client http) {
        return inSession(http, initialize(http, "/mcp"));
    }

    private static String initialize(Client http, String path) {
        Reply begun = http.with("Accept", "application/json, text/event-stream").post(path, """
                {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
                 "capabilities": {}, "clientInfo": {"name": "test-client", "version": "1.2"}}}""");
        return begun.header("Mcp-Session-Id").orElseThrow(() -> new AssertionError(begun.toString()));
    }

    /** A client that asks for search instead of the list of tools. */
    static McpTestClient searching(Client http, Era era, String capabilities) {
        String path = "/mcp?tools=search";
        return switch (era) {
            case MODERN -> new McpTestClient(http, null, capabilities, path);
            case LEGACY -> new McpTestClient(http, initialize(http, path), capabilities, path);
        };
    }

    /** A client that continues a session. */
    static McpTestClient inSession(Client http, String session) {
        return new McpTestClient(http, session, "{}");
    }

    String session() {
        if (session == null) {
            throw new AssertionError("There are no sessions in this era.");
        }
        return session;
    }

    /** The HTTP client with all headers, for requests that this class does not send. */
    Client http(String method, String name) {
        return session == null
                ? http.with("MCP-Protocol-Version", MODERN)
                        .with("Mcp-Method", method)
                        .with("Mcp-Name", name)
                : http.with("Mcp-Session-Id", session).with("MCP-Protocol-Version", "2025-11-25");
    }

    /** The body of a request. */
    String body(String method, String params) {
        ObjectNode sent = (ObjectNode) Json.MAPPER.readTree(params);
        if (session == null) {
            ObjectNode meta = sent.withObjectProperty("_meta");
            meta.put("io.modelcontextprotocol/protocolVersion", MODERN);
            meta.set("io.modelcontextprotocol/clientCapabilities", Json.MAPPER.readTree(capabilities));
            meta.putObject("io.modelcontextprotocol/clientInfo")
                    .put("name", "test-client")
                    .put("version", "1.2");
        }
        ObjectNode body = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0").put("id", ids.incrementAndGet());
        return body.put("method", method).set("params", sent).toString();
    }

    Reply send(String method, String params) {
        JsonNode sent = Json.MAPPER.readTree(params);
        String name = sent.has("uri")
                ? sent.path("uri").asString()
                : sent.has("taskId")
                        ? sent.path("taskId").asString()
                        : sent.path("name").asString("");
        return http(method, name).post(path, body(method, params));
    }

    Reply call(String tool, String arguments) {
        return send("tools/call", "{\"name\": \"" + tool + "\", \"arguments\": " + arguments + "}");
    }

    List<String> tools() {
        List<String> names = new ArrayList<>();
        result(send("tools/list", "{}"))
                .path("tools")
                .forEach(tool -> names.add(tool.path("name").asString()));
        return names;
    }

    static JsonNode result(Reply reply) {
        JsonNode result = response(reply.text()).get("result");
        if (result == null) {
            throw new AssertionError(reply.toString());
        }
        return result;
    }

    static String text(Reply reply) {
        return result(reply).path("content").path(0).path("text").asString();
    }

    /** The response, be it the whole body or the last message of a stream. */
    static JsonNode response(String body) {
        List<JsonNode> messages = messages(body);
        return messages.isEmpty() ? Json.MAPPER.createObjectNode() : messages.getLast();
    }

    static List<JsonNode> messages(String body) {
        if (body.startsWith("{")) {
            return List.of(Json.MAPPER.readTree(body));
        }
        return body.lines()
                .filter(line -> line.startsWith("data:"))
                .map(line -> Json.MAPPER.readTree(line.substring("data:".length())))
                .toList();
    }
}
