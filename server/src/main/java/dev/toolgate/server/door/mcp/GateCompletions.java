package dev.toolgate.server.door.mcp;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.OfferedCompletions;
import dev.toolgate.mcp.server.offer.RequestContext;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completions for prompts and resource templates of servers behind the gate, subject to the same grants and recorded.
 * Clients ask for them with every key that is pressed, so nobody is asked to approve one: a completion that would need
 * an approval, or that is not allowed, is empty.
 */
record GateCompletions(GatePrompts prompts, GateResources resources) implements OfferedCompletions {
    @Override
    public ObjectNode complete(RequestContext context, ObjectNode params) throws InterruptedException {
        GateTools.requireActing(McpCaller.of(context));
        JsonNode ref = params.path("ref");
        CallOutcome outcome =
                switch (ref.path("type").asString("")) {
                    case "ref/prompt" ->
                        prompts.complete(context, ref.path("name").asString(""), arguments(params));
                    case "ref/resource" ->
                        resources.complete(context, ref.path("uri").asString(""), arguments(params));
                    default -> null;
                };
        if (outcome instanceof CallOutcome.Finished finished) {
            return finished.result();
        }
        throw RpcErrorCode.INVALID_PARAMS.exception("There is no prompt or resource template of this name.");
    }

    /** Without the metadata of the request, which is no part of what is decided, recorded and sent to the server. */
    private static ObjectNode arguments(ObjectNode params) {
        ObjectNode arguments = params.objectNode();
        for (String name : List.of("ref", "argument", "context")) {
            JsonNode value = params.get(name);
            if (value != null) {
                arguments.set(name, value.deepCopy());
            }
        }
        return arguments;
    }
}
