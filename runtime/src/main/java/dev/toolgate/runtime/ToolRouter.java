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
import dev.toolgate.core.policy.McpServer;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolDefinition;
import dev.toolgate.runtime.upstream.HostUpstreams;
import dev.toolgate.runtime.upstream.HostUpstreams.Registration;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Executes tool calls for programs that embed the runtime. Failures of tools are results, never exceptions.
 * Thread-safe.
 */
public final class ToolRouter {
    private final ToolCatalog catalog;
    private final Pipeline pipeline;
    private final Caller caller;
    private final @Nullable HostUpstreams upstreams;

    /** A router whose caller is the host program itself. */
    public ToolRouter(ToolCatalog catalog, Pipeline pipeline) {
        this(catalog, pipeline, Caller.local());
    }

    /** A router over a catalog and the pipeline that was built with it, without MCP servers. */
    public ToolRouter(ToolCatalog catalog, Pipeline pipeline, Caller caller) {
        this(catalog, pipeline, caller, null);
    }

    /** A router for the host program itself, with its MCP servers. */
    ToolRouter(ToolCatalog catalog, Pipeline pipeline, HostUpstreams upstreams) {
        this(catalog, pipeline, Caller.local(), upstreams);
    }

    private ToolRouter(ToolCatalog catalog, Pipeline pipeline, Caller caller, @Nullable HostUpstreams upstreams) {
        this.catalog = catalog;
        this.pipeline = pipeline;
        this.caller = caller;
        this.upstreams = upstreams;
    }

    /** Runs one tool call to its end. */
    public ToolResult execute(ToolRequest request) {
        return execute(request, CallListener.NONE, new Cancellation());
    }

    /** Runs one tool call with a listener for its output and a handle to cancel it. */
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

    /** The tool definitions for a model, under their runtime names. */
    public List<ToolDefinition> getAvailableTools() {
        return getAvailableTools(null);
    }

    /** The tools a scope permits. */
    public List<ToolDefinition> getAvailableTools(@Nullable ToolScope scope) {
        return catalog.within(caller.tenant(), scope).stream()
                .map(tool -> tool.spec().definition(Alias.Naming.RUNTIME))
                .toList();
    }

    /** Adds one of the host's own tools; a name that is already in use is refused. */
    public void register(Tool<?> tool) {
        catalog.add(tool);
    }

    /**
     * Connects to an MCP server and adds its tools as {@code server/tool}; registering a name again replaces them. Tools
     * that the settings do not allow are never registered. The server is disconnected with the runtime.
     */
    public Registration registerMcp(UpstreamSettings server) {
        return upstreams == null ? withoutUpstreams(server.name()) : upstreams.register(server);
    }

    private static Registration withoutUpstreams(String server) {
        return new Registration.Refused(Failure.of(
                ErrorCode.SERVICE_UNAVAILABLE,
                "MCP server '" + server + "' was not registered: this router was made without MCP servers"));
    }

    /**
     * Registers the MCP servers of a policy bundle; a failure does not affect the others. Returns the results by
     * name.
     */
    public Map<String, Registration> registerMcp(PolicyBundle bundle) {
        return upstreams == null
                ? bundle.mcpServers().stream()
                        .map(McpServer::name)
                        .collect(
                                Collectors.toMap(Function.identity(), ToolRouter::withoutUpstreams, (one, same) -> one))
                : upstreams.register(bundle);
    }

    /** Disconnects an MCP server and removes its tools; does nothing if it is not registered. */
    public void unregisterMcp(String server) {
        if (upstreams != null) {
            upstreams.unregister(server);
        }
    }
}
