package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Prospect;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.tool.ExternalTool;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.server.offer.CacheHint;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import dev.toolgate.server.door.artifact.ArtifactReads;
import dev.toolgate.server.door.mcp.ExposedTools.Exposed;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of the gate. The gate decides both what is listed and what can be called. A call of a tool that the caller
 * may not use gets exactly the same response as one of an unknown tool, and the attempt is recorded.
 */
final class GateTools implements OfferedTools {
    private static final int PAGE = 1000;
    private static final int MAX_NAME_IN_MESSAGE = 128;
    private static final CacheHint CACHE = new CacheHint(Duration.ZERO, CacheHint.Scope.PRIVATE);

    /** Checked in place of an unknown tool, so that its calls take as long as those of a hidden one, and fail alike. */
    private static final Tool<?> UNKNOWN = ExternalTool.unregistered("unknown");

    private final Gate gate;
    private final ExposedTools tools;
    private final HeldMcpCalls heldCalls;
    private final ListWatch listWatch;
    private final ArtifactReads artifacts;
    private final InteractiveCalls interactiveCalls = new InteractiveCalls();

    GateTools(Gate gate, ExposedTools tools, HeldMcpCalls heldCalls, ListWatch listWatch, ArtifactReads artifacts) {
        this.gate = gate;
        this.tools = tools;
        this.heldCalls = heldCalls;
        this.listWatch = listWatch;
        this.artifacts = artifacts;
    }

    @Override
    public ListPage list(RequestContext context, @Nullable String cursor) {
        McpCaller caller = McpCaller.of(context);
        requireActing(caller);
        List<Exposed> visible = visible(caller);
        listWatch.listed(caller, ListWatch.Kind.TOOLS, listed(visible));
        String after = cursor == null ? "" : position(cursor);
        ArrayNode page = JsonNodeFactory.instance.arrayNode();
        String last = after;
        for (Exposed tool : visible) {
            if (tool.name().compareTo(after) <= 0) {
                continue;
            }
            if (page.size() == PAGE) {
                return new ListPage(page, cursor(last), CACHE);
            }
            page.add(tool.definition());
            last = tool.name();
        }
        return new ListPage(page, null, CACHE);
    }

    /** The tools that a caller may see. */
    List<Exposed> visible(McpCaller caller) {
        ExposedTools.Snapshot now = tools.now(caller.tenant());
        List<Prospect> prospects = prospects(caller, now.tools());
        List<Exposed> visible = new ArrayList<>();
        for (int i = 0; i < prospects.size(); i++) {
            if (prospects.get(i) != Prospect.DENIED) {
                visible.add(now.all().get(i));
            }
        }
        return visible;
    }

    private static String cursor(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    private static String position(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw RpcErrorCode.INVALID_PARAMS.exception("The cursor must come from the page before.");
        }
    }

    @Override
    public CallOutcome call(RequestContext context, ToolInvocation invocation) throws InterruptedException {
        CallOutcome resumed = interactiveCalls.resume(context, invocation);
        if (resumed != null) {
            return resumed;
        }
        Exposed tool = tools.named(McpCaller.of(context).tenant(), invocation.name());
        return tool != null && tool.tool().listedAs().isPresent()
                ? interactiveCalls.run(
                        context,
                        invocation,
                        (current, requester) -> call(current, invocation, tool, new McpProgress(current, requester)))
                : call(context, invocation, tool, new McpProgress(context, InteractiveCalls.InputRequester.NONE));
    }

    @Override
    public List<HeaderParameters.Parameter> mirroredArguments(RequestContext context, String tool) {
        McpCaller caller = McpCaller.of(context);
        Exposed exposed = tools.named(caller.tenant(), tool);
        if (exposed == null || exposed.mirrored().isEmpty()) {
            return List.of();
        }
        try {
            return prospect(caller, exposed) == Prospect.DENIED ? List.of() : exposed.mirrored();
        } catch (RpcException undecided) {
            return List.of(); // the call fails like that of an unknown tool
        }
    }

    /** Refuses and records a call by a name that was not listed to the caller, like one of an unknown tool. */
    CallOutcome callUnlisted(RequestContext context, ToolInvocation invocation) {
        return call(context, invocation, null, new McpProgress(context, InteractiveCalls.InputRequester.NONE));
    }

    private CallOutcome call(
            RequestContext context, ToolInvocation invocation, @Nullable Exposed tool, McpProgress listener) {
        Cancellation cancellation = new Cancellation();
        try (McpProgress progress = listener) {
            context.cancelSignal().onCancel(cancellation::cancel);
            return outcome(context, invocation, tool, submit(context, invocation, tool, progress, cancellation));
        }
    }

    private HeldMcpCalls.Result submit(
            RequestContext context,
            ToolInvocation invocation,
            @Nullable Exposed tool,
            McpProgress progress,
            Cancellation cancellation) {
        McpCaller caller = McpCaller.of(context);
        try {
            Prospect prospect = prospect(caller, tool);
            CallRequest request = request(context, caller)
                    .using(tool == null ? invocation.name() : tool.tool().spec().name(), invocation.arguments())
                    .followedBy(
                            prospect == Prospect.MAYBE_HELD || progress.isNeeded() ? progress : CallListener.NONE,
                            cancellation);
            return switch (prospect) {
                case DENIED -> collectOrRefuse(context, request, invocation, tool, progress);
                case ALLOWED -> {
                    InteractiveCalls.requireNew(invocation.answers());
                    yield heldCalls.submitAllowed(context, request, invocation.answers(), progress);
                }
                case MAYBE_HELD -> {
                    InteractiveCalls.requireNew(invocation.answers());
                    yield heldCalls.submitOnce(context, request, invocation.answers(), progress);
                }
            };
        } catch (Unavailable unreachable) {
            throw unavailable("What the call needs to be checked and recorded is unavailable");
        }
    }

    private static RpcException unavailable(String what) {
        return RpcErrorCode.INTERNAL_ERROR.exception(what + " and nothing was done; try again shortly.");
    }

    private Prospect prospect(McpCaller caller, @Nullable Exposed tool) {
        Prospect prospect =
                prospects(caller, List.of(tool == null ? UNKNOWN : tool.tool())).getFirst();
        return tool == null ? Prospect.DENIED : prospect;
    }

    private List<Prospect> prospects(McpCaller caller, List<Tool<?>> asked) {
        try {
            return gate.prospects(caller.principal(), acting(caller), asked);
        } catch (Unavailable unreachable) {
            throw unavailable("The permission check is unavailable");
        }
    }

    /**
     * Refuses and records a call that cannot be allowed, unless it was made before and only its outcome is to be
     * collected: the call itself may have taken the last use of its grant. Existing and unknown tools take the same
     * path and get the same response, so that not even the timing distinguishes them.
     */
    private HeldMcpCalls.Result collectOrRefuse(
            RequestContext context,
            CallRequest request,
            ToolInvocation invocation,
            @Nullable Exposed tool,
            McpProgress progress) {
        McpCaller caller = McpCaller.of(context);
        switch (gate.identify(caller.principal(), request)) {
            case Impersonation attempt -> throw notActing(attempt.why());
            case Identified.Known known -> {
                if (gate.rejection(known.caller(), request).isEmpty()) {
                    Optional<HeldMcpCalls.Earlier> earlier = heldCalls.earlier(known.caller(), List.of(request));
                    if (tool != null && earlier.isPresent()) {
                        InteractiveCalls.requireNew(invocation.answers());
                        return heldCalls.collect(
                                context, earlier.get().request(), earlier.get().row(), progress);
                    }
                    Answer _ = gate.refuse(
                            caller.principal(),
                            request,
                            notPermitted(known.caller().agent(), invocation.name()));
                }
            }
        }
        if (caller.named() == null && caller.session() == null) {
            throw noAgent();
        }
        throw unknown(invocation.name());
    }

    private CallOutcome finished(RequestContext context, Answer answer) {
        if (answer instanceof Answer.Ended(RequestId _, Outcome.Failed failed)) {
            requireDeclared(context, failed.failure());
        }
        return new CallOutcome.Finished(McpResults.of(answer, new BlockBytes(artifacts, context)));
    }

    /** Reports to a modern client the capabilities that a call needs and that it did not declare. */
    static void requireDeclared(RequestContext context, Failure failure) {
        Object required = failure.details().get(NeededInput.CAPABILITIES);
        if (required != null && context.revision().era() == Era.MODERN) {
            ObjectNode data = JsonNodeFactory.instance.objectNode();
            data.set(NeededInput.CAPABILITIES, Json.MAPPER.valueToTree(required));
            throw new RpcException(RpcErrorCode.MISSING_CLIENT_CAPABILITY.error(failure.message() + ".", data));
        }
    }

    private CallOutcome outcome(
            RequestContext context, ToolInvocation invocation, @Nullable Exposed tool, HeldMcpCalls.Result result) {
        return switch (result) {
            case HeldMcpCalls.Refused refused -> throw notActing(refused.why());
            case HeldMcpCalls.AsForm form -> new CallOutcome.InputRequired(form.requests(), form.state());
            case HeldMcpCalls.AsTask task -> new CallOutcome.TaskCreated(task.state());
            case HeldMcpCalls.Answered answered -> {
                // A caller that may no longer use the tool gets the response for an unknown one.
                boolean hidden =
                        isDenied(answered.answer()) && prospect(McpCaller.of(context), tool) == Prospect.DENIED;
                yield answered.encoded(answer -> {
                    if (hidden) {
                        throw unknown(invocation.name());
                    }
                    return finished(context, answer);
                });
            }
        };
    }

    private static boolean isDenied(Answer answer) {
        return answer instanceof Answer.Ended(RequestId _, Outcome.Refused _);
    }

    /** The entries of a list, for change detection. */
    static List<ListWatch.Listed> listed(List<ExposedTools.Exposed> tools) {
        return tools.stream()
                .map(tool -> new ListWatch.Listed(tool.name(), tool.digest()))
                .toList();
    }

    /** A request as the caller, with its request id, context and trace. */
    static CallRequest request(RequestContext context, McpCaller caller) {
        JsonNode traceparent = context.meta().path(MetaKeys.TRACE_PARENT);
        return acting(caller)
                .named(requestId(context.meta()))
                .from(callContext(context, caller))
                .tracedBy(traceparent.isString() ? traceparent.stringValue() : caller.traceparent());
    }

    static CallRequest acting(McpCaller caller) {
        CallRequest request =
                CallRequest.of("", JsonNodeFactory.instance.objectNode()).in(caller.session(), null);
        AgentId agent = caller.agent();
        return agent == null ? request : request.as(agent, CallRequest.Acting.CALLING);
    }

    static CallContext callContext(RequestContext context, McpCaller caller) {
        Implementation client = context.client();
        return CallContext.NONE
                .correlatedBy(caller.correlationId())
                .withClient(client == null ? null : client.name() + "/" + client.version());
    }

    private static @Nullable RequestId requestId(ObjectNode meta) {
        JsonNode named = meta.get(McpResults.REQUEST_ID);
        if (named == null) {
            return null;
        }
        try {
            return new RequestId(named.asString(""));
        } catch (IllegalArgumentException wrong) {
            throw RpcErrorCode.INVALID_PARAMS.exception(
                    "The metadata " + McpResults.REQUEST_ID + " must be a text of 1 to 100 printable characters.");
        }
    }

    /** Refuses callers that act as no agent, and cursors of lists that have one page only. */
    void requireActing(RequestContext context, @Nullable String cursor) {
        requireActing(McpCaller.of(context));
        if (cursor != null) {
            throw RpcErrorCode.INVALID_PARAMS.exception("The cursor must come from the page before.");
        }
    }

    static void requireActing(McpCaller caller) {
        AgentId agent = caller.named();
        if (agent == null && caller.session() == null) {
            throw noAgent();
        }
        if (agent != null) {
            Callers.objection(caller.principal(), agent).ifPresent(why -> {
                throw notActing(why);
            });
        }
    }

    private static RpcException noAgent() {
        return RpcErrorCode.INVALID_REQUEST.exception("This key belongs to no agent; name the agent in the header "
                + McpCaller.AGENT_HEADER + ", or send the key of an agent.");
    }

    static RpcException notActing(Failure why) {
        return RpcErrorCode.INVALID_REQUEST.exception(why.message() + ".");
    }

    private static Failure notPermitted(AgentId agent, String tool) {
        return Failure.of(
                ErrorCode.PERMISSION_DENIED, "Agent '" + agent + "' not permitted to use tool '" + tool + "'");
    }

    private static RpcException unknown(String name) {
        return RpcErrorCode.INVALID_PARAMS.exception("Unknown tool: " + shown(name));
    }

    /** A name that a client sent, shortened for a message. */
    static String shown(String name) {
        return name.length() <= MAX_NAME_IN_MESSAGE ? name : name.substring(0, MAX_NAME_IN_MESSAGE) + "…";
    }

    /** Whether a call may become a task: only in the protocol era in which tools need not declare it. */
    static boolean acceptsTask(RequestContext context) {
        return context.revision().era() == Era.MODERN && context.acceptsTask();
    }
}
