package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.OutgoingMessage;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.server.gate.Submitted;
import dev.toolgate.store.heldcall.CallLookup;
import dev.toolgate.store.heldcall.CallLookup.FoundCall;
import dev.toolgate.store.mcp.PendingCallers;
import dev.toolgate.store.mcp.PendingCalls;
import dev.toolgate.store.mcp.PendingCalls.CallOwner;
import dev.toolgate.store.mcp.PendingCalls.PendingCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that may need an approval. If the principal may approve calls and the client shows forms, the client gets a
 * form; otherwise, if it can open URLs, the page of the console. After that a client that supports tasks gets a task at
 * once; any other waits for about as long as clients usually do and is then asked to send the same call again. MCP
 * clients have no stable request ids, so equal calls of one caller share a request id until the outcome is collected.
 */
final class HeldMcpCalls {
    private static final Logger LOG = LoggerFactory.getLogger(HeldMcpCalls.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

    private final Gate gate;
    private final PendingCalls pending;
    private final CallLookup calls;
    private final ApprovalForms forms;
    private final ApprovalPages pages;
    private final InstantSource clock;
    private final OutcomesInDelivery inDelivery = new OutcomesInDelivery();
    private final PendingCallers pendingCallers;

    HeldMcpCalls(
            Gate gate,
            PendingCalls pending,
            CallLookup calls,
            ApprovalForms forms,
            ApprovalPages pages,
            InstantSource clock) {
        this.gate = gate;
        this.pending = pending;
        this.pendingCallers = new PendingCallers(pending::hasAny, System::nanoTime);
        this.calls = calls;
        this.forms = forms;
        this.pages = pages;
        this.clock = clock;
    }

    /** The result of submitting a call. */
    sealed interface Result {}

    /**
     * The call has an answer.
     *
     * @param onEncoded forgets the call, at once or when its client has got the response; does nothing if its client is
     *     to send it again
     */
    record Answered(Answer answer, Runnable onEncoded) implements Result {
        /**
         * Encodes the answer. If that fails, the call is not forgotten, and an equal one gets the answer.
         *
         * @param encoder throws {@link RpcException} if the answer is a protocol error
         */
        <R> R encoded(Function<Answer, R> encoder) {
            R response;
            try {
                response = encoder.apply(answer);
            } catch (RpcException error) {
                onEncoded.run();
                throw error;
            }
            onEncoded.run();
            return response;
        }
    }

    /** The call is held, and the client can poll it as a task. */
    record AsTask(TaskState state) implements Result {}

    /** The call is held, and the user of the client can approve it in a form or on a page. */
    record AsForm(Map<String, InputRequest> requests, String state) implements Result {}

    /** The principal may not act as the agent; the attempt is recorded. */
    record Refused(Failure why) implements Result {}

    /**
     * A call with a row in the table of pending calls. As long as the row is there, an equal call of the same caller
     * gets the same request id, and so the outcome of this call.
     *
     * @param sentBefore whether the row is from an earlier request
     * @param progress of the current request; knows whether the call was held during it
     */
    private record Repeatable(PendingCall call, boolean sentBefore, McpProgress progress) {
        /** Whether a person may have approved the call; its outcome must not be lost if the connection breaks. */
        boolean mayBeApproved() {
            return sentBefore || progress.wasHeld();
        }
    }

    /**
     * Submits a call that needs no approval now. If it needed one when its caller sent it before, it is continued: it
     * must not run a second time, and its outcome is to be collected.
     *
     * @param progress the listener of the call
     */
    Result submitAllowed(RequestContext context, CallRequest request, InputAnswers answers, McpProgress progress) {
        if (request.requestId() != null) {
            return submit(context, request, answers);
        }
        return switch (gate.identify(McpCaller.of(context).principal(), request)) {
            case Impersonation attempt -> new Refused(attempt.why());
            case Identified.Known known -> {
                PendingCall sent = sentBefore(owner(known.caller()), request);
                yield sent == null
                        ? submit(context, request, answers)
                        : submit(
                                context,
                                request.named(sent.requestId()),
                                answers,
                                new Repeatable(sent, true, progress));
            }
        };
    }

    private @Nullable PendingCall sentBefore(CallOwner owner, CallRequest request) {
        return pendingCallers.mayHavePending(owner)
                ? rows(owner, List.of(request)).stream().findFirst().orElse(null)
                : null;
    }

    /** Submits a call that is not repeated, or that has a request id chosen by its caller. */
    Result submit(RequestContext context, CallRequest request, InputAnswers answers) {
        return submit(context, request, answers, null);
    }

    /**
     * Submits a call that may need an approval, or continues it if it was sent before.
     *
     * @param progress the listener of the call
     */
    Result submitOnce(RequestContext context, CallRequest request, InputAnswers answers, McpProgress progress) {
        if (request.requestId() != null) {
            return submit(context, request, answers);
        }
        return switch (gate.identify(McpCaller.of(context).principal(), request)) {
            case Impersonation attempt -> new Refused(attempt.why());
            case Identified.Known known ->
                gate.rejection(known.caller(), request)
                        .<Result>map(HeldMcpCalls::unstored) // a flood must not store a row for each call
                        .orElseGet(() -> {
                            Repeatable repeatable = begin(owner(known.caller()), request, progress);
                            return submit(
                                    context, request.named(repeatable.call().requestId()), answers, repeatable);
                        });
        };
    }

    /** The answer to a call without a row in the table of pending calls. */
    private static Answered unstored(Answer answer) {
        return new Answered(answer, () -> {});
    }

    private Repeatable begin(CallOwner owner, CallRequest request, McpProgress progress) {
        RequestId fresh = new RequestId(UUID.randomUUID().toString());
        byte[] digest = digest(request);
        PendingCall call = store(owner, request.toolName(), digest, fresh);
        if (awaitDelivery(call)) {
            call = store(owner, request.toolName(), digest, fresh);
        }
        return new Repeatable(call, !call.requestId().equals(fresh), progress);
    }

    private PendingCall store(CallOwner owner, String tool, byte[] digest, RequestId fresh) {
        PendingCall call = pending.begin(owner, tool, digest, fresh);
        pendingCallers.stored(owner);
        return call;
    }

    /** Waits while the outcome of a call is being delivered; false if it is not. */
    private boolean awaitDelivery(PendingCall call) {
        try {
            return inDelivery.await(call.requestId());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * An earlier call that was allowed.
     *
     * @param request to make the same call, under its request id
     * @param row of the call; null if its caller chose the request id
     */
    record Earlier(CallRequest request, @Nullable PendingCall row) {}

    /**
     * The first of these requests that repeats a call that was allowed, for a caller that may not make it again. Takes
     * equal time for all requests that repeat no call. An earlier call that was refused is forgotten: if the caller gets
     * its permission back, the next equal call is decided anew.
     *
     * @param requests for different tools
     */
    Optional<Earlier> earlier(Caller caller, List<CallRequest> requests) {
        RequestId chosen = requests.isEmpty() ? null : requests.getFirst().requestId();
        return chosen == null ? pendingBefore(owner(caller), requests) : namedBefore(caller, chosen, requests);
    }

    /** The same for a caller that can make another request instead; costs a caller without pending calls no query. */
    Optional<Earlier> earlierElsewhere(Caller caller, List<CallRequest> requests) {
        return requests.getFirst().requestId() != null || pendingCallers.mayHavePending(owner(caller))
                ? earlier(caller, requests)
                : Optional.empty();
    }

    private Optional<Earlier> pendingBefore(CallOwner owner, List<CallRequest> requests) {
        for (PendingCall row : rows(owner, requests)) {
            CallRequest request = ofTool(row.tool(), requests).orElse(null);
            FoundCall call = find(owner.tenant(), owner.agent(), row.requestId());
            if (request == null || call == null) {
                continue;
            }
            if (call.outcome() instanceof Outcome.Refused) {
                end(owner, row);
            } else if (wasAllowed(call)) {
                return Optional.of(new Earlier(request.named(row.requestId()), row));
            }
        }
        return Optional.empty();
    }

    /** The rows of equal calls; without those whose outcome was just delivered. */
    private List<PendingCall> rows(CallOwner owner, List<CallRequest> requests) {
        List<byte[]> digests = requests.stream().map(HeldMcpCalls::digest).toList();
        List<PendingCall> rows = pending.find(owner, digests);
        return rows.stream().filter(this::awaitDelivery).count() > 0 ? pending.find(owner, digests) : rows;
    }

    private Optional<Earlier> namedBefore(Caller caller, RequestId chosen, List<CallRequest> requests) {
        FoundCall call = find(caller.tenant(), caller.agent(), chosen);
        return call == null || call.outcome() instanceof Outcome.Refused || !wasAllowed(call)
                ? Optional.empty()
                : ofTool(call.tool(), requests).map(request -> new Earlier(request, null));
    }

    private @Nullable FoundCall find(TenantId tenant, AgentId agent, RequestId request) {
        return calls.find(tenant, request, agent).stream().findFirst().orElse(null);
    }

    private static boolean wasAllowed(FoundCall call) {
        return switch (call.state()) {
            case RUNNING, ENDED, FORGOTTEN -> true;
            case HELD, APPROVED, PERMITTED -> false;
        };
    }

    private static Optional<CallRequest> ofTool(String tool, List<CallRequest> requests) {
        return requests.stream()
                .filter(request -> request.toolName().equals(tool))
                .findFirst();
    }

    /**
     * Collects the outcome of an earlier call, for a caller that may not make it again. The gate answers it like every
     * repeated call. If it knows of no outcome after all, it decides anew: the tool runs only if the caller has got its
     * permission back by now.
     *
     * @param request that of the earlier call
     */
    Result collect(RequestContext context, CallRequest request, @Nullable PendingCall row, McpProgress progress) {
        Submitted submitted = gate.submit(McpCaller.of(context).principal(), waiting(context, request));
        // The outcome may not be read now; it is kept, because the grant may come back.
        boolean refused = submitted.answer() instanceof Answer.Ended(RequestId _, Outcome.Refused _);
        return result(context, submitted, row == null || refused ? null : new Repeatable(row, true, progress));
    }

    private Result submit(
            RequestContext context, CallRequest request, InputAnswers answers, @Nullable Repeatable repeatable) {
        boolean byForm = ApprovalForms.canAsk(context);
        if (repeatable != null && (byForm || pages.canAsk(context))) {
            Submitted asked = gate.submit(McpCaller.of(context).principal(), request.held(Call.WhenHeld.RETURN));
            if (!(asked.answer() instanceof Answer.Held held)) {
                return result(context, asked, repeatable);
            }
            ApprovalForms.FormStatus status = byForm
                    ? forms.take(context, answers, held)
                    : answers.state() == null ? ApprovalForms.FormStatus.NOT_SENT : ApprovalForms.FormStatus.RETURNED;
            if (status == ApprovalForms.FormStatus.NOT_SENT) {
                return new AsForm(
                        byForm ? ApprovalForms.form(request, held) : pages.page(request, held),
                        ApprovalForms.state(held));
            }
        }
        return result(context, gate.submit(McpCaller.of(context).principal(), waiting(context, request)), repeatable);
    }

    private Result result(RequestContext context, Submitted submitted, @Nullable Repeatable repeatable) {
        return switch (submitted) {
            case Impersonation attempt -> new Refused(attempt.why());
            case Submitted.Taken(Call call, Answer.Held held)
            when GateTools.acceptsTask(context) -> {
                PendingCall task = repeatable != null
                        ? repeatable.call()
                        : pending.note(owner(call.caller()), call.toolName(), call.requestId());
                yield new AsTask(working(task, held.reason(), held.expiresAt()));
            }
            case Submitted.Taken(Call call, Answer answer) ->
                repeatable == null
                        ? unstored(answer)
                        : new Answered(answer, () -> update(context, owner(call.caller()), repeatable, answer));
        };
    }

    private void update(RequestContext context, CallOwner owner, Repeatable repeatable, Answer answer) {
        if (isFinal(answer)) {
            forget(context, owner, repeatable, answer);
        } else if (!repeatable.sentBefore() && isRateLimited(answer)) {
            end(owner, repeatable.call()); // there is nothing to come back for
        }
    }

    private static boolean isRateLimited(Answer answer) {
        return answer instanceof Answer.Undecided undecided
                && undecided.failure().code() == ErrorCode.RATE_LIMITED;
    }

    private void forget(RequestContext context, CallOwner owner, Repeatable repeatable, Answer answer) {
        PendingCall call = repeatable.call();
        if (context.cancelSignal().isCancelled()) {
            // It failed because it was cancelled; if it succeeded all the same, its client does not know yet.
            if (answer instanceof Answer.Ended(RequestId _, Outcome.Failed _)) {
                end(owner, call);
            }
        } else if (repeatable.mayBeApproved()) {
            whenDelivered(context::onDelivery, call.requestId(), () -> pending.end(owner, call.requestId()));
        } else {
            end(owner, call);
        }
    }

    private void end(CallOwner owner, PendingCall call) {
        markAsCollected(call.requestId(), () -> pending.end(owner, call.requestId()));
    }

    /**
     * Marks a call as collected after the message with its outcome was written; not if the message is lost.
     *
     * @param change marks it
     */
    void whenDelivered(OutgoingMessage message, RequestId call, Runnable change) {
        inDelivery.whenDelivered(message, call, () -> markAsCollected(call, change));
    }

    // If this fails, the next equal call gets this outcome again.
    private static void markAsCollected(RequestId call, Runnable change) {
        try {
            change.run();
        } catch (Unavailable unreachable) {
            LOG.warn("Call {} could not be marked as collected: {}", call, unreachable.getMessage());
        }
    }

    private static CallRequest waiting(RequestContext context, CallRequest request) {
        return request.held(GateTools.acceptsTask(context) ? Call.WhenHeld.RETURN : Call.WhenHeld.WAIT_THEN_RETURN);
    }

    // A running or undecided call is collected later; a call whose outcome is no longer kept cannot be.
    private static boolean isFinal(Answer answer) {
        return switch (answer) {
            case Answer.Ended _ -> true;
            case Answer.Held _, Answer.Permitted _ -> false;
            case Answer.Undecided undecided -> undecided.failure().code() == ErrorCode.REQUEST_ID_TAKEN;
        };
    }

    /** The state of a task that waits for an approval, or runs. */
    TaskState working(PendingCall call, String message, @Nullable Instant expiresAt) {
        return new TaskState(
                call.requestId().value(),
                new TaskState.Working(),
                message,
                call.createdAt(),
                clock.instant(),
                expiresAt == null ? null : Duration.between(call.createdAt(), expiresAt),
                POLL_INTERVAL);
    }

    static CallOwner owner(Caller caller) {
        return new CallOwner(caller.tenant(), caller.agent(), caller.principal());
    }

    private static byte[] digest(CallRequest request) {
        String session = request.session() == null ? "" : request.session().value();
        return Sha256.of(
                (request.toolName() + '\n' + session + '\n' + request.arguments()).getBytes(StandardCharsets.UTF_8));
    }
}
