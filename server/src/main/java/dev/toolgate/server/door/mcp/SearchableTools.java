package dev.toolgate.server.door.mcp;

import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.server.offer.CacheHint;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of the gate. Clients that asked for search get two tools instead: one finds tools, the other calls them. A
 * call through the second is decided, recorded and answered as a call of the tool it names. Since only the two are
 * listed, no other tool can be called by its own name.
 */
final class SearchableTools implements OfferedTools {
    static final String FIND = "find_tools";
    static final String CALL = "call_tool";

    private static final int DEFAULT_FOUND = 10;
    private static final int MAX_FOUND = 50;
    private static final int MAX_QUERY = 1000;
    private static final CacheHint CACHE = new CacheHint(Duration.ZERO, CacheHint.Scope.PRIVATE);
    private static final ArrayNode DEFINITIONS = (ArrayNode) Json.MAPPER.readTree("""
            [
              {
                "name": "call_tool",
                "title": "Call a tool",
                "description": "Call a tool that find_tools has found.",
                "inputSchema": {
                  "type": "object",
                  "properties": {
                    "name": {"type": "string", "description": "The name of the tool"},
                    "arguments": {"type": "object", "description": "Its arguments, by the inputSchema that find_tools shows"}
                  },
                  "required": ["name"],
                  "additionalProperties": false
                },
                "annotations": {"title": "Call a tool", "readOnlyHint": false, "destructiveHint": true,
                  "idempotentHint": false, "openWorldHint": true}
              },
              {
                "name": "find_tools",
                "title": "Find tools",
                "description": "Find the tools that can be called with call_tool, with their descriptions and schemas.",
                "inputSchema": {
                  "type": "object",
                  "properties": {
                    "query": {"type": "string", "description": "Words that describe what to do; without any, all tools"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many to show; 10 if left out"}
                  },
                  "additionalProperties": false
                },
                "annotations": {"title": "Find tools", "readOnlyHint": true, "destructiveHint": false,
                  "idempotentHint": true, "openWorldHint": false}
              }
            ]""");

    private final GateTools tools;

    SearchableTools(GateTools tools) {
        this.tools = tools;
    }

    @Override
    public ListPage list(RequestContext context, @Nullable String cursor) {
        return switch (McpCaller.of(context).listing()) {
            case ALL -> tools.list(context, cursor);
            case SEARCH -> {
                tools.requireActing(context, cursor);
                yield new ListPage(DEFINITIONS, null, CACHE);
            }
        };
    }

    @Override
    public CallOutcome call(RequestContext context, ToolInvocation invocation) throws InterruptedException {
        return switch (McpCaller.of(context).listing()) {
            case ALL -> tools.call(context, invocation);
            case SEARCH ->
                switch (invocation.name()) {
                    case FIND -> find(context, invocation.arguments());
                    case CALL -> callNamed(context, invocation);
                    default -> tools.callUnlisted(context, invocation);
                };
        };
    }

    @Override
    public List<HeaderParameters.Parameter> mirroredArguments(RequestContext context, String tool) {
        return switch (McpCaller.of(context).listing()) {
            case ALL -> tools.mirroredArguments(context, tool);
            case SEARCH -> List.of();
        };
    }

    private CallOutcome find(RequestContext context, ObjectNode arguments) {
        tools.requireActing(context, null);
        JsonNode query = arguments.path("query");
        JsonNode limit = arguments.path("limit");
        if (!(query.isMissingNode() || (query.isString() && query.stringValue().length() <= MAX_QUERY))) {
            return wrong("The argument 'query' must be a text of at most " + MAX_QUERY + " characters.");
        }
        if (!(limit.isMissingNode()
                || (limit.isIntegralNumber()
                        && limit.canConvertToInt()
                        && limit.intValue() >= 1
                        && limit.intValue() <= MAX_FOUND))) {
            return wrong("The argument 'limit' must be a whole number from 1 to " + MAX_FOUND + ".");
        }
        ObjectNode found = ToolSearch.find(
                tools.visible(McpCaller.of(context)),
                query.asString(""),
                limit.isMissingNode() ? DEFAULT_FOUND : limit.intValue());
        ObjectNode result = text(found.toString());
        result.set("structuredContent", found);
        return new CallOutcome.Finished(result);
    }

    private CallOutcome callNamed(RequestContext context, ToolInvocation invocation) throws InterruptedException {
        JsonNode name = invocation.arguments().path("name");
        JsonNode arguments = invocation.arguments().path("arguments");
        if (!name.isString() || name.stringValue().isEmpty()) {
            return wrong("The argument 'name' must be the name of a tool that " + FIND + " has found.");
        }
        if (!arguments.isMissingNode() && !arguments.isObject()) {
            return wrong("The argument 'arguments' must be an object with the arguments of the tool.");
        }
        return tools.call(
                context,
                new ToolInvocation(
                        name.stringValue(),
                        arguments instanceof ObjectNode given ? given : Json.MAPPER.createObjectNode(),
                        invocation.answers(),
                        invocation.taskTtl()));
    }

    private static CallOutcome wrong(String sentence) {
        ObjectNode result = text(sentence);
        result.put("isError", true);
        return new CallOutcome.Finished(result);
    }

    private static ObjectNode text(String text) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }
}
