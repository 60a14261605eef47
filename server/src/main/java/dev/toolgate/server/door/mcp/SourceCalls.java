package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Prospect;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests for prompts and resources of servers behind the gate: each server has a tool for prompts and one for
 * resources, which are permitted, held and recorded like any other tool, and whose output is the result.
 */
final class SourceCalls {
    private final Gate gate;
    private final ExposedTools tools;
    private final HeldMcpCalls heldCalls;
    private final InteractiveCalls interactiveCalls = new InteractiveCalls();

    SourceCalls(Gate gate, ExposedTools tools, HeldMcpCalls heldCalls) {
        this.gate = gate;
        this.tools = tools;
        this.heldCalls = heldCalls;
    }

    /** The sources of a kind that the caller may use, in the order of their servers. */
    <S extends Tool<?>> List<S> visible(McpCaller caller, Class<S> kind) {
        List<Tool<?>> sources = tools.now(caller.tenant()).sources();
        if (sources.isEmpty()) {
            return List.of();
        }
        List<Prospect> prospects = prospects(caller, sources);
        List<S> visible = new ArrayList<>();
        for (int i = 0; i < prospects.size(); i++) {
            if (prospects.get(i) != Prospect.DENIED && kind.isInstance(sources.get(i))) {
                visible.add(kind.cast(sources.get(i)));
            }
        }
        return visible;
    }

    /** All sources of a kind, whoever may use them; only to look for earlier requests of a caller. */
    <S extends Tool<?>> List<S> all(McpCaller caller, Class<S> kind) {
        return tools.now(caller.tenant()).sources().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** A list of a source. */
    @FunctionalInterface
    interface SourceListing<S> {
        List<ObjectNode> of(S source) throws InterruptedException;
    }

    /**
     * The sources of a kind that the caller may use, each with a hash of its list.
     *
     * @param listing must not connect to a server that has not been queried yet
     */
    <S extends Tool<?>> List<ListWatch.Listed> listed(McpCaller caller, Class<S> kind, SourceListing<S> listing)
            throws InterruptedException {
        List<ListWatch.Listed> listed = new ArrayList<>();
        for (S source : visible(caller, kind)) {
            listed.add(new ListWatch.Listed(
                    source.spec().name(), listing.of(source).hashCode()));
        }
        return listed;
    }

    private List<Prospect> prospects(McpCaller caller, List<Tool<?>> sources) {
        try {
            return gate.prospects(caller.principal(), GateTools.acting(caller), sources);
        } catch (Unavailable unreachable) {
            throw unavailable();
        }
    }

    /** Whether a call of a source would be allowed without an approval; nothing runs and nothing is recorded. */
    boolean isAllowed(McpCaller caller, Tool<?> source, ObjectNode arguments) {
        try {
            Decision decision = gate.dryRun(
                            caller.principal(),
                            GateTools.acting(caller).using(source.spec().name(), arguments))
                    .decision();
            return switch (decision) {
                case Decision.Allow _ -> true;
                case Decision.NeedsApproval _ -> false;
                case Decision.Deny denied -> {
                    if (denied.code() == ErrorCode.SERVICE_UNAVAILABLE) {
                        throw unavailable();
                    }
                    yield false;
                }
            };
        } catch (Unavailable unreachable) {
            throw unavailable();
        }
    }

    private static RpcException unavailable() {
        return RpcErrorCode.INTERNAL_ERROR.exception(
                "What the request needs to be checked and recorded is unavailable and nothing was done; try again"
                        + " shortly.");
    }

    /**
     * Continues a request whose client sends the requested input; null if no request of this caller waits for it.
     *
     * @param asked the request as the client sent it
     */
    @Nullable
    CallOutcome resume(RequestContext context, ToolInvocation asked) throws InterruptedException {
        return interactiveCalls.resume(context, asked);
    }

    /** What a source would be called with. */
    record SourceRequest(Tool<?> source, ObjectNode arguments) {}

    /**
     * Collects the outcome of an earlier request, for a caller that may not use the source any more: the request itself
     * may have taken the last use of its grant. Null if the caller made none of these requests, all in equal time.
     *
     * @param requests to all sources that the request may have gone to, whether or not the caller may use them
     */
    @Nullable
    CallOutcome collect(
            RequestContext context, ToolInvocation asked, List<SourceRequest> requests, Supplier<RpcException> absent) {
        HeldMcpCalls.Earlier earlier = earlier(context, asked, requests, heldCalls::earlier);
        return earlier == null ? null : outcome(context, collected(context, asked, earlier), absent);
    }

    /**
     * Collects the outcome of an earlier request to another source than the request would go to now. Null if the caller
     * made none of these requests, or may not read the outcome any more.
     */
    @Nullable
    CallOutcome collectElsewhere(
            RequestContext context, ToolInvocation asked, List<SourceRequest> requests, Supplier<RpcException> absent) {
        HeldMcpCalls.Earlier earlier =
                requests.isEmpty() ? null : earlier(context, asked, requests, heldCalls::earlierElsewhere);
        if (earlier == null) {
            return null;
        }
        HeldMcpCalls.Result result = collected(context, asked, earlier);
        return isRefused(result) ? null : outcome(context, result, absent);
    }

    private static boolean isRefused(HeldMcpCalls.Result result) {
        return result instanceof HeldMcpCalls.Answered answered
                && answered.answer() instanceof Answer.Ended ended
                && ended.outcome() instanceof Outcome.Refused;
    }

    private HeldMcpCalls.Result collected(RequestContext context, ToolInvocation asked, HeldMcpCalls.Earlier earlier) {
        InteractiveCalls.requireNew(asked.answers());
        return submit(
                context,
                earlier.request(),
                new McpProgress(context, InteractiveCalls.InputRequester.NONE),
                (request, progress) -> heldCalls.collect(context, request, earlier.row(), progress));
    }

    /** Looks up the earlier call that one of some requests repeats. */
    @FunctionalInterface
    private interface EarlierLookup {
        Optional<HeldMcpCalls.Earlier> of(Caller caller, List<CallRequest> requests);
    }

    /** The earlier call; null if there is none, or the caller is blocked because of refused calls. */
    private HeldMcpCalls.@Nullable Earlier earlier(
            RequestContext context, ToolInvocation asked, List<SourceRequest> requests, EarlierLookup lookup) {
        McpCaller caller = McpCaller.of(context);
        CallRequest base = GateTools.request(context, caller);
        try {
            return switch (gate.identify(caller.principal(), base)) {
                case Impersonation attempt -> throw GateTools.notActing(attempt.why());
                case Identified.Known known ->
                    gate.rejection(known.caller(), unknown(base, asked.name())).isPresent()
                            ? null
                            : lookup.of(
                                            known.caller(),
                                            requests.stream()
                                                    .map(request -> base.using(
                                                            request.source()
                                                                    .spec()
                                                                    .name(),
                                                            request.arguments()))
                                                    .toList())
                                    .orElse(null);
            };
        } catch (Unavailable unreachable) {
            throw unavailable();
        }
    }

    /**
     * Calls a source.
     *
     * @param asked the request as the client sent it
     * @param absent the error if the caller may not use the source, as if it did not exist
     */
    CallOutcome call(
            RequestContext context,
            ToolInvocation asked,
            Tool<?> source,
            ObjectNode arguments,
            Supplier<RpcException> absent)
            throws InterruptedException {
        return interactiveCalls.run(
                context,
                asked,
                (current, requester) -> call(
                        current,
                        request(current, source, arguments),
                        absent,
                        new McpProgress(current, requester),
                        (request, progress) -> submit(current, source, request, asked.answers(), progress)));
    }

    /** Completes an argument; nothing if that would need an approval or is not allowed. */
    CallOutcome complete(RequestContext context, Tool<?> source, ObjectNode arguments, Supplier<RpcException> absent) {
        if (!isAllowed(McpCaller.of(context), source, arguments)) {
            ObjectNode nothing = arguments.objectNode();
            nothing.putObject("completion").putArray("values");
            return new CallOutcome.Finished(nothing);
        }
        return call(
                context,
                request(context, source, arguments),
                absent,
                new McpProgress(context, InteractiveCalls.InputRequester.NONE),
                (request, _) -> heldCalls.submit(context, request, InputAnswers.NONE));
    }

    /** Submits the call of a request. */
    @FunctionalInterface
    private interface Submission {
        HeldMcpCalls.Result submit(CallRequest request, McpProgress progress);
    }

    private HeldMcpCalls.Result submit(
            RequestContext context, Tool<?> source, CallRequest request, InputAnswers answers, McpProgress progress) {
        return switch (prospects(McpCaller.of(context), List.of(source)).getFirst()) {
            case DENIED -> heldCalls.submit(context, request, answers);
            case ALLOWED -> {
                InteractiveCalls.requireNew(answers);
                yield heldCalls.submitAllowed(context, request, answers, progress);
            }
            case MAYBE_HELD -> {
                InteractiveCalls.requireNew(answers);
                yield heldCalls.submitOnce(context, request, answers, progress);
            }
        };
    }

    private static CallRequest request(RequestContext context, Tool<?> source, ObjectNode arguments) {
        return GateTools.request(context, McpCaller.of(context))
                .using(source.spec().name(), arguments);
    }

    private static CallOutcome call(
            RequestContext context,
            CallRequest request,
            Supplier<RpcException> absent,
            McpProgress listener,
            Submission submission) {
        return outcome(context, submit(context, request, listener, submission), absent);
    }

    private static HeldMcpCalls.Result submit(
            RequestContext context, CallRequest request, McpProgress listener, Submission submission) {
        Cancellation cancellation = new Cancellation();
        try (McpProgress progress = listener) {
            context.cancelSignal().onCancel(cancellation::cancel);
            return submission.submit(request.followedBy(progress, cancellation), progress);
        } catch (Unavailable unreachable) {
            throw unavailable();
        }
    }

    private static CallOutcome outcome(
            RequestContext context, HeldMcpCalls.Result result, Supplier<RpcException> absent) {
        return switch (result) {
            case HeldMcpCalls.Refused refused -> throw GateTools.notActing(refused.why());
            case HeldMcpCalls.AsForm form -> new CallOutcome.InputRequired(form.requests(), form.state());
            case HeldMcpCalls.AsTask task ->
                throw RpcErrorCode.INVALID_REQUEST.exception("A person must approve this request; send it again"
                        + " later (task " + task.state().id() + ").");
            case HeldMcpCalls.Answered answered ->
                answered.encoded(answer -> new CallOutcome.Finished(result(context, answer, absent)));
        };
    }

    private static ObjectNode result(RequestContext context, Answer answer, Supplier<RpcException> absent) {
        return switch (answer) {
            case Answer.Ended ended ->
                switch (ended.outcome()) {
                    case Outcome.Completed completed
                    when completed.output().structured() instanceof ObjectNode result -> result;
                    case Outcome.Completed _ ->
                        throw RpcErrorCode.INTERNAL_ERROR.exception("The result is no longer kept; ask again.");
                    case Outcome.Failed failed -> {
                        GateTools.requireDeclared(context, failed.failure());
                        throw failed(failed.failure());
                    }
                    case Outcome.Refused refused ->
                        throw refused.failure().code() == ErrorCode.PERMISSION_DENIED
                                ? absent.get()
                                : failed(refused.failure());
                };
            case Answer.Held held ->
                throw RpcErrorCode.INVALID_REQUEST.exception("A person must approve this request first (approval "
                        + held.question() + ", open until " + held.expiresAt()
                        + "); send it again later.");
            case Answer.Permitted _ -> throw new IllegalStateException("This door asks for no permits.");
            case Answer.Undecided undecided -> throw failed(undecided.failure());
        };
    }

    private static RpcException failed(Failure failure) {
        return RpcErrorCode.INTERNAL_ERROR.exception(
                failure.message() + ". " + failure.code().remediation());
    }

    /** Records a request for something that does not exist or that the caller may not see. */
    void refused(RequestContext context, String asked) {
        McpCaller caller = McpCaller.of(context);
        Failure why = Failure.of(ErrorCode.PERMISSION_DENIED, "Not permitted to use '" + asked + "'");
        gate.refuse(caller.principal(), unknown(GateTools.request(context, caller), asked), why);
    }

    private static CallRequest unknown(CallRequest request, String asked) {
        return request.using(GateTools.shown(asked), JsonNodeFactory.instance.objectNode());
    }
}
