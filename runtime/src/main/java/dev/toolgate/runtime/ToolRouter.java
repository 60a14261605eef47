package dev.toolgate.runtime;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The door for programs that embed the runtime: a request goes in, a result comes out, and nothing
 * a tool does is thrown. Safe for use from many threads.
 */
public final class ToolRouter {
    private final ToolCatalog catalog;
    private final Pipeline pipeline;
    private final Caller caller;

    /** A router whose caller is the host program itself. */
    public ToolRouter(ToolCatalog catalog, Pipeline pipeline) {
        this(catalog, pipeline, Caller.local());
    }

    /** A router over a catalog and the pipeline that was built with it. */
    public ToolRouter(ToolCatalog catalog, Pipeline pipeline, Caller caller) {
        this.catalog = catalog;
        this.pipeline = pipeline;
        this.caller = caller;
    }

    /** Runs one tool call to its end. */
    public ToolResult execute(ToolRequest request) {
        return execute(request, CallListener.NOBODY, new Cancellation());
    }

    /** Runs one tool call, with somebody listening to its output and able to stop it. */
    public ToolResult execute(ToolRequest request, CallListener listener, Cancellation cancellation) {
        ObjectNode arguments;
        try {
            arguments = Json.MAPPER.valueToTree(request.arguments());
        } catch (JacksonException | ClassCastException | StackOverflowError unreadable) {
            return ToolResult.of(
                    request,
                    new Outcome.Failed(Failure.of(
                            ErrorCode.INVALID_REQUEST, "The arguments cannot be written as a JSON object.")));
        }
        SessionId session;
        try {
            session = new SessionId(request.sessionId());
        } catch (IllegalArgumentException unusable) {
            return ToolResult.of(
                    request,
                    new Outcome.Failed(
                            Failure.of(ErrorCode.INVALID_REQUEST, "Field 'sessionId': " + unusable.getMessage())));
        }
        Call call = Call.of(caller.in(session), request.toolName(), arguments)
                .within(request.bounds())
                .scopedTo(request.scope())
                .followedBy(listener, cancellation);
        return ToolResult.of(request, pipeline.execute(call).asOutcome());
    }

    /** The tools as a model sees them, under the names this door is known for. */
    public List<ToolDefinition> getAvailableTools() {
        return getAvailableTools(null);
    }

    /** The tools a scope leaves available. */
    public List<ToolDefinition> getAvailableTools(@Nullable ToolScope scope) {
        return catalog.within(scope).stream()
                .map(tool -> tool.spec().definition(Alias.Naming.RUNTIME))
                .toList();
    }

    /** Adds a tool of the host's own; a name that is taken is refused. */
    public void register(Tool<?> tool) {
        catalog.add(tool);
    }

    /** Would add the tools of an MCP server; this version has no MCP client, and the answer says so. */
    public Failure registerMcp(String serverName) {
        return Failure.of(
                ErrorCode.TOOL_NOT_FOUND,
                "MCP servers are not implemented in this version, so '" + serverName + "' was not added");
    }
}
