package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that a person may have to approve. A client whose person may approve calls shows a form, if it can, and any other
 * that shows addresses that of the console. Then it is kept waiting as long as clients usually wait, and told to send the
 * same call again, or, if it understands tasks, gets a task at once. MCP clients have no request ids that last, so the
 * same call of the same caller goes by one request id until its outcome is collected.
 */
final class HeldMcpCalls {
    private static final Logger LOG = LoggerFactory.getLogger(HeldMcpCalls.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

    private final Gate gate;
    private final PendingCalls pending;
    private final ApprovalForms forms;
    private final ApprovalPages pages;
    private final InstantSource clock;

    HeldMcpCalls(Gate gate, PendingCalls pending, ApprovalForms forms, ApprovalPages pages, InstantSource clock) {
        this.gate = gate;
        this.pending = pending;
        this.forms = forms;
        this.pages = pages;
        this.clock = clock;
    }

    /** What became of a call. */
    sealed interface Result {}

    /** There is an answer. */
    record Answered(Answer answer) implements Result {}

    /** It waits, and can be asked for as a task. */
    record AsTask(TaskState state) implements Result {}

    /** It waits, and the person at the client may say yes, in a form or on a page. */
    record AsForm(Map<String, InputRequest> requests, String state) implements Result {}

    /** The principal may not act as the agent, which is on record. */
    record Refused(Failure why) implements Result {}

    /** Makes a call that needs nobody's approval, or has a request id of its caller's choice. */
    Result submit(RequestContext context, CallRequest request, InputAnswers answers) {
        return submit(context, request, answers, null);
    }

    /** Makes a call for which a person may be asked, or goes on with it if it was sent before. */
    Result submitOnce(RequestContext context, CallRequest request, InputAnswers answers) {
        if (request.requestId() != null) {
            return submit(context, request, answers);
        }
        return switch (gate.identify(McpCaller.of(context).principal(), request)) {
            case Impersonation attempt -> new Refused(attempt.why());
            case Identified.Known known -> {
                PendingCall call = pending.begin(
                        owner(known.caller()),
                        request.toolName(),
                        digest(request),
                        new RequestId(UUID.randomUUID().toString()));
                yield submit(context, request.named(call.requestId()), answers, call);
            }
        };
    }

    private Result submit(
            RequestContext context, CallRequest request, InputAnswers answers, @Nullable PendingCall noted) {
        boolean byForm = ApprovalForms.canAsk(context);
        if (noted != null && (byForm || pages.canAsk(context))) {
            Submitted asked = gate.submit(McpCaller.of(context).principal(), request.held(Call.WhenHeld.RETURN));
            if (!(asked.answer() instanceof Answer.Held held)) {
                return result(context, asked, noted);
            }
            ApprovalForms.Said said = byForm
                    ? forms.take(context, answers, held)
                    : answers.state() == null ? ApprovalForms.Said.NOTHING : ApprovalForms.Said.SOMETHING;
            if (said == ApprovalForms.Said.NOTHING) {
                return new AsForm(
                        byForm ? ApprovalForms.form(request, held) : pages.page(request, held),
                        ApprovalForms.state(held));
            }
        }
        return result(context, gate.submit(McpCaller.of(context).principal(), waiting(context, request)), noted);
    }

    private Result result(RequestContext context, Submitted submitted, @Nullable PendingCall noted) {
        return switch (submitted) {
            case Impersonation attempt -> new Refused(attempt.why());
            case Submitted.Taken taken -> {
                if (noted != null
                        && isOver(taken.answer())
                        && !context.cancelSignal().isCancelled()) {
                    end(owner(taken.call().caller()), noted);
                }
                yield result(context, taken.call(), taken.answer(), noted);
            }
        };
    }

    // Without it the same call, sent again, gets this outcome once more.
    private void end(CallOwner owner, PendingCall call) {
        try {
            pending.end(owner, call.requestId());
        } catch (Unavailable unreachable) {
            LOG.warn("Call {} stays to be collected: {}", call.requestId(), unreachable.getMessage());
        }
    }

    private static CallRequest waiting(RequestContext context, CallRequest request) {
        return request.held(GateTools.acceptsTask(context) ? Call.WhenHeld.RETURN : Call.WhenHeld.WAIT_THEN_RETURN);
    }

    // One that still runs, or of which nothing can be known now, is collected later; one that is forgotten never.
    private static boolean isOver(Answer answer) {
        return switch (answer) {
            case Answer.Ended _ -> true;
            case Answer.Held _, Answer.Permitted _ -> false;
            case Answer.Undecided undecided -> undecided.failure().code() == ErrorCode.REQUEST_ID_TAKEN;
        };
    }

    private Result result(RequestContext context, Call call, Answer answer, @Nullable PendingCall noted) {
        if (!(answer instanceof Answer.Held held) || !GateTools.acceptsTask(context)) {
            return new Answered(answer);
        }
        PendingCall task =
                noted != null ? noted : pending.note(owner(call.caller()), call.toolName(), call.requestId());
        return new AsTask(working(task, held.reason(), held.expiresAt()));
    }

    /** A task that waits for a person, or runs. */
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
