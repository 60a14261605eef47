package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.server.gate.Submitted;
import dev.toolgate.store.mcp.PendingCalls;
import dev.toolgate.store.mcp.PendingCalls.CallOwner;
import dev.toolgate.store.mcp.PendingCalls.PendingCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
    private final ApprovalForms forms;
    private final ApprovalPages pages;
    private final InstantSource clock;
    private final OutcomesInDelivery inDelivery = new OutcomesInDelivery();

    HeldMcpCalls(Gate gate, PendingCalls pending, ApprovalForms forms, ApprovalPages pages, InstantSource clock) {
        this.gate = gate;
        this.pending = pending;
        this.forms = forms;
        this.pages = pages;
        this.clock = clock;
    }

    /** The result of submitting a call. */
    sealed interface Result {}

    /** The call has an answer. */
    record Answered(Answer answer) implements Result {}

    /** The call is held, and the client can poll it as a task. */
    record AsTask(TaskState state) implements Result {}

    /** The call is held, and the user of the client can approve it in a form or on a page. */
    record AsForm(Map<String, InputRequest> requests, String state) implements Result {}

    /** The principal may not act as the agent; the attempt is recorded. */
    record Refused(Failure why) implements Result {}

    /**
     * A call that equal calls continue until its outcome is collected.
     *
     * @param sentBefore whether an equal call has been sent before
     * @param progress knows whether the call was held now
     */
    private record Repeatable(PendingCall call, boolean sentBefore, McpProgress progress) {
        /** Whether somebody may have approved exactly this call, which must not get lost with a connection. */
        boolean mayBeApproved() {
            return sentBefore || progress.wasHeld();
        }
    }

    /** Submits a call that needs no approval, or that has a request id chosen by its caller. */
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
            case Identified.Known known -> {
                Repeatable repeatable = begin(owner(known.caller()), request, progress);
                yield submit(context, request.named(repeatable.call().requestId()), answers, repeatable);
            }
        };
    }

    private Repeatable begin(CallOwner owner, CallRequest request, McpProgress progress) {
        RequestId fresh = new RequestId(UUID.randomUUID().toString());
        byte[] digest = digest(request);
        PendingCall call = pending.begin(owner, request.toolName(), digest, fresh);
        try {
            if (inDelivery.await(call.requestId())) {
                call = pending.begin(owner, request.toolName(), digest, fresh);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return new Repeatable(call, !call.requestId().equals(fresh), progress);
    }

    /** The call that an equal one of this caller would continue; nothing is stored. */
    Optional<PendingCall> earlier(Caller caller, CallRequest request) {
        Optional<PendingCall> found = pending.find(owner(caller), digest(request));
        return request.requestId() == null ? found : Optional.empty();
    }

    /** Collects the outcome of an earlier call, for a caller that may not make it again: nothing runs. */
    Result collect(RequestContext context, CallRequest request, PendingCall earlier, McpProgress progress) {
        Submitted submitted =
                gate.submit(McpCaller.of(context).principal(), waiting(context, request.named(earlier.requestId())));
        // A refusal leaves the earlier call as it is: the grant may come back.
        boolean refused = submitted.answer() instanceof Answer.Ended(RequestId _, Outcome.Refused _);
        return result(context, submitted, refused ? null : new Repeatable(earlier, true, progress));
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
            case Submitted.Taken taken -> {
                if (repeatable != null && isFinal(taken.answer())) {
                    forget(context, owner(taken.call().caller()), repeatable, taken.answer());
                }
                yield result(context, taken.call(), taken.answer(), repeatable == null ? null : repeatable.call());
            }
        };
    }

    private void forget(RequestContext context, CallOwner owner, Repeatable repeatable, Answer answer) {
        PendingCall call = repeatable.call();
        if (context.cancelSignal().isCancelled()) {
            // It failed because it was cancelled; if it succeeded all the same, its client does not know yet.
            if (answer instanceof Answer.Ended(RequestId _, Outcome.Failed _)) {
                end(owner, call);
            }
        } else if (repeatable.mayBeApproved()) {
            inDelivery.whenDelivered(context, call.requestId(), () -> end(owner, call));
        } else {
            end(owner, call);
        }
    }

    // If this fails, the next equal call gets this outcome again.
    private void end(CallOwner owner, PendingCall call) {
        try {
            pending.end(owner, call.requestId());
        } catch (Unavailable unreachable) {
            LOG.warn("Call {} could not be marked as collected: {}", call.requestId(), unreachable.getMessage());
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

    private Result result(RequestContext context, Call call, Answer answer, @Nullable PendingCall pendingCall) {
        if (!(answer instanceof Answer.Held held) || !GateTools.acceptsTask(context)) {
            return new Answered(answer);
        }
        PendingCall task = pendingCall != null
                ? pendingCall
                : pending.note(owner(call.caller()), call.toolName(), call.requestId());
        return new AsTask(working(task, held.reason(), held.expiresAt()));
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
