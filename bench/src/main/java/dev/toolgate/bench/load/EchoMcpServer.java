package dev.toolgate.bench.load;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A minimal MCP server of the modern protocol with one tool, which returns its text. */
final class EchoMcpServer {
    private EchoMcpServer() {}

    static LocalServer start() throws Exception {
        return new LocalServer(EchoMcpServer::answer);
    }

    private static void answer(JsonNode asked, ObjectNode answer) {
        answer.put("jsonrpc", "2.0");
        answer.set("id", asked.path("id"));
        ObjectNode result = answer.putObject("result").put("resultType", "complete");
        switch (asked.path("method").asString("")) {
            case "server/discover" -> {
                result.putArray("supportedVersions").add(McpLoad.MODERN_VERSION);
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "echo").put("version", "1");
                result.put("ttlMs", 0).put("cacheScope", "public");
            }
            case "tools/list" -> {
                ObjectNode echo = result.putArray("tools").addObject();
                echo.put("name", "echo").put("description", "Gives back its text");
                echo.putObject("inputSchema")
                        .put("type", "object")
                        .putObject("properties")
                        .putObject("text")
                        .put("type", "string");
                result.put("ttlMs", 0).put("cacheScope", "public");
            }
            default ->
                result.putArray("content")
                        .addObject()
                        .put("type", "text")
                        .put(
                                "text",
                                asked.path("params")
                                        .path("arguments")
                                        .path("text")
                                        .asString(""));
        }
    }
}
