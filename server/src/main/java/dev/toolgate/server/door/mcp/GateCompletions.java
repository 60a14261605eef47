package dev.toolgate.server.door.mcp;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.OfferedCompletions;
import dev.toolgate.mcp.server.offer.RequestContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completions for prompts and resource templates of servers behind the gate, subject to the same grants and recorded.
 */
record GateCompletions(GatePrompts prompts, GateResources resources) implements OfferedCompletions {
    @Override
    public ObjectNode complete(RequestContext context, ObjectNode params) throws InterruptedException {
        GateTools.requireActing(McpCaller.of(context));
        JsonNode ref = params.path("ref");
        CallOutcome outcome =
                switch (ref.path("type").asString("")) {
                    case "ref/prompt" ->
                        prompts.complete(context, ref.path("name").asString(""), params);
                    case "ref/resource" ->
                        resources.complete(context, ref.path("uri").asString(""), params);
                    default -> null;
                };
        if (outcome instanceof CallOutcome.Finished finished) {
            return finished.result();
        }
        throw RpcErrorCode.INVALID_PARAMS.exception("There is no prompt or resource template of this name.");
    }
}
