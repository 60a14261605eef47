package dev.toolgate.core.pipeline;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.redact.LiveRedaction;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Fifth stage: runs the tool within its time limit, unless cancelled. */
public final class Run implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    private final GrantRule grants;
    private final AuditLog auditLog;
    private final Redactor redactor;
    private final CallRecorder recorder;
    private final Clock clock;

    /** Without argument digests. */
    public Run(GrantRule grants, AuditLog auditLog, Redactor redactor, Clock clock) {
        this(grants, auditLog, redactor, null, clock);
    }

    /**
     * @param digest for recorded arguments; {@code null} for none
     */
    public Run(GrantRule grants, AuditLog auditLog, Redactor redactor, @Nullable KeyedDigest digest, Clock clock) {
        this.grants = grants;
        this.auditLog = auditLog;
        this.redactor = redactor;
        this.recorder = new CallRecorder(redactor, digest);
        this.clock = clock;
    }

    @Override
    public Optional<StageEnd> apply(CallProgress progress) throws InterruptedException {
        ToolSpec<?> spec = progress.bound().tool().spec();
        if (progress.call().cancellation().isCancelled()) {
            return ended(cancelled());
        }
        if (!grants.spend(progress.call(), spec)) {
            return Optional.of(StageEnd.refused(
                    ErrorCode.PERMISSION_DENIED,
                    "The grant of tool '" + spec.name() + "' to agent '"
                            + progress.call().caller().agent() + "' was used up or revoked in the meantime"));
        }
        Duration permitFor = progress.call().permitFor();
        if (permitFor != null) {
            return Optional.of(permit(progress, permitFor));
        }
        if (spec.effect().needsIntent()) {
            recordIntent(progress);
            progress.keyClaim().keep();
        }
        redactor.forCallerOf(progress.call(), progress.toolName()).noteSent(progress.call());
        progress.started();
        progress.call().listener().onStart();
        Duration limit = limit(progress, spec);
        RunGuard guard = new RunGuard(progress.call().cancellation(), limit);
        try (guard) {
            return ended(runWithLiveRedaction(progress));
        } catch (InterruptedException stopped) {
            guard.rethrowUnlessStopped(stopped);
            return ended(
                    switch (guard.stopped()) {
                        case OUT_OF_TIME ->
                            failed(
                                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                                    "Tool '" + spec.name() + "' timed out after " + inWords(limit));
                        case CANCELLED, NOT_STOPPED -> cancelled();
                    });
        }
    }

    // The caller runs the tool; all earlier stages and the recording of its report are the same as for other calls.
    private StageEnd permit(CallProgress progress, Duration permitFor) {
        Call call = progress.call();
        RequestKey claimed = progress.keyClaim().key();
        RequestKey key = claimed == null ? CallDigest.key(call) : claimed; // a report finds its permit by the key
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        AuditLog.Permit permit = new AuditLog.Permit(
                recorder.intent(progress, now), key, recorder.approval(progress), now.plus(permitFor));
        auditLog.permit(permit);
        progress.keyClaim().keep(key);
        redactor.forCallerOf(call, progress.toolName()).noteSent(call);
        return new StageEnd.Permitted(permit.until(), argumentsOfPermit(progress));
    }

    /** The arguments that a caller may run its tool with: those that were decided about. */
    static ObjectNode argumentsOfPermit(CallProgress progress) {
        Tool<?> tool = progress.tool();
        Call call = progress.call();
        return tool == null ? call.arguments() : tool.spec().complete(call.toolName(), call.arguments());
    }

    /** Why a call cannot be run where its caller wants it to; empty if it can. */
    static Optional<StageEnd> wrongPlace(CallProgress progress) {
        Tool<?> tool = progress.bound().tool();
        String name = "Tool '" + tool.spec().name() + "' ";
        return switch (tool.runsAt()) {
            case CLIENT ->
                progress.call().permitFor() == null
                        ? wrongPlace(name + "is run by its caller; ask for a permit at POST /api/v1/tools/authorize"
                                + " instead")
                        : Optional.empty();
            case GATE ->
                progress.call().permitFor() == null
                        ? Optional.empty()
                        : wrongPlace(name + "is run by the gate, which gives no permits for it; execute it instead");
        };
    }

    private static Optional<StageEnd> wrongPlace(String message) {
        return Optional.of(StageEnd.failed(ErrorCode.INVALID_REQUEST, message));
    }

    // Throws if the intent cannot be made durable; nothing has happened then.
    private void recordIntent(CallProgress progress) {
        auditLog.intend(
                recorder.intent(progress, clock.instant()), progress.keyClaim().key());
    }

    private static Duration limit(CallProgress progress, ToolSpec<?> spec) {
        Duration scoped = progress.context().bounds().timeout();
        return scoped == null || scoped.compareTo(spec.timeLimit()) > 0 ? spec.timeLimit() : scoped;
    }

    private static String inWords(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " seconds" : limit.toMillis() + " milliseconds";
    }

    // Live output is redacted like the result.
    private Outcome runWithLiveRedaction(CallProgress progress) throws InterruptedException {
        ToolContext context = progress.context();
        Call call = context.call();
        if (call.listener().equals(CallListener.NONE)) {
            return run(progress.bound(), progress, context);
        }
        try (LiveRedaction redacted =
                new LiveRedaction(redactor.forCallerOf(call, progress.toolName()), call.listener())) {
            return run(
                    progress.bound(),
                    progress,
                    new ToolContext(call.followedBy(redacted, call.cancellation()), context.bounds()));
        }
    }

    private static <A> Outcome run(CallProgress.Bound<A> bound, CallProgress progress, ToolContext context)
            throws InterruptedException {
        try {
            return new Outcome.Completed(bound.tool().call(bound.arguments(), context));
        } catch (ToolFailure expected) {
            return new Outcome.Failed(expected.failure());
        } catch (Unavailable unreachable) {
            if (Thread.interrupted()) {
                throw new InterruptedException(); // not unavailable: our own interrupt caused it
            }
            LOG.warn("Call {}: dependency unavailable: {}", progress.call().requestId(), unreachable.getMessage());
            return failed(ErrorCode.SERVICE_UNAVAILABLE, String.valueOf(unreachable.getMessage()));
        } catch (RuntimeException | Error unexpected) {
            LOG.error(
                    "Tool '{}' failed unexpectedly in call {}",
                    bound.tool().spec().name(),
                    progress.call().requestId(),
                    unexpected);
            return failed(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "Tool '" + bound.tool().spec().name() + "' failed unexpectedly: "
                            + unexpected.getClass().getSimpleName());
        }
    }

    private static Optional<StageEnd> ended(Outcome outcome) {
        return Optional.of(new StageEnd.Ended(outcome));
    }

    private static Outcome cancelled() {
        return failed(ErrorCode.TOOL_EXECUTION_FAILED, "The call was cancelled");
    }

    private static Outcome failed(ErrorCode code, String message) {
        return new Outcome.Failed(Failure.of(code, message));
    }
}
