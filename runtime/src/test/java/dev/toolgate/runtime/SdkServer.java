package dev.toolgate.runtime;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A server program built with the official Java SDK. */
final class SdkServer {
    private SdkServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        McpJsonMapper json = McpJsonDefaults.getMapper();
        Map<String, Object> numbers = Map.of(
                "type",
                "object",
                "properties",
                Map.of("a", Map.of("type", "integer"), "b", Map.of("type", "integer")),
                "required",
                List.of("a", "b"));
        Map<String, Object> sum = Map.of(
                "type", "object", "properties", Map.of("sum", Map.of("type", "integer")), "required", List.of("sum"));
        McpServer.sync(new StdioServerTransportProvider(json))
                .serverInfo("sdk", "1")
                .capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
                .toolCall(
                        McpSchema.Tool.builder("add", numbers)
                                .description("Adds two numbers")
                                .outputSchema(sum)
                                .build(),
                        (exchange, request) -> {
                            int added = number(request, "a") + number(request, "b");
                            return McpSchema.CallToolResult.builder()
                                    .addTextContent("The sum is " + added)
                                    .structuredContent(Map.of("sum", added))
                                    .build();
                        })
                .build();
        Thread.currentThread().join();
    }

    private static int number(McpSchema.CallToolRequest request, String name) {
        return Objects.requireNonNull((Number) request.arguments().get(name)).intValue();
    }
}
