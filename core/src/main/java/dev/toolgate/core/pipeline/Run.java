package dev.toolgate.core.pipeline;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.redact.LiveRedaction;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fifth stage: the tool does its work, within its time, until somebody stops it. */
public final class Run implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    private final GrantRule grants;
    private final AuditLog auditLog;
    private final Redactor redactor;
    private final CallRecorder recorder;
    private final Clock clock;

    /** Without digests of arguments on record. */
    public Run(GrantRule grants, AuditLog auditLog, Redactor redactor, Clock clock) {
        this(grants, auditLog, redactor, null, clock);
    }

    /**
     * @param digest of the arguments that go on record; {@code null} for none
     */
    public Run(GrantRule grants, AuditLog auditLog, Redactor redactor, @Nullable KeyedDigest digest, Clock clock) {
        this.grants = grants;
        this.auditLog = auditLog;
        this.redactor = redactor;
        this.recorder = new CallRecorder(redactor, digest);
        this.clock = clock;
    }

    @Override
    public Optional<StageEnd> apply(Passage passage) throws InterruptedException {
        ToolSpec<?> spec = passage.bound().tool().spec();
        if (passage.call().cancellation().isCancelled()) {
            return over(cancelled());
        }
        if (!grants.spend(passage.call(), spec)) {
            return Optional.of(StageEnd.refused(
                    ErrorCode.PERMISSION_DENIED,
                    "The grant of tool '" + spec.name() + "' to agent '"
                            + passage.call().caller().agent() + "' is used up or was taken back meanwhile"));
        }
        if (spec.effect().needsIntent()) {
            announce(passage);
            passage.keyClaim().keep();
        }
        redactor.of(passage.call().caller().tenant()).noteSent(passage.call());
        passage.started();
        passage.call().listener().onStart();
        Duration limit = limit(passage, spec);
        RunGuard guard = new RunGuard(passage.call().cancellation(), limit);
        try (guard) {
            return over(runHeard(passage));
        } catch (InterruptedException stopped) {
            guard.rethrowUnlessStopped(stopped);
            return over(
                    switch (guard.stopped()) {
                        case OUT_OF_TIME ->
                            failed(
                                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                                    "Tool '" + spec.name() + "' timed out after " + inWords(limit));
                        case CANCELLED, NOT_STOPPED -> cancelled();
                    });
        }
    }

    // Throws if the intent cannot be made durable, and then nothing has happened yet.
    private void announce(Passage passage) {
        auditLog.intend(
                recorder.intent(passage, clock.instant()), passage.keyClaim().key());
    }

    private static Duration limit(Passage passage, ToolSpec<?> spec) {
        Duration scoped = passage.context().bounds().timeout();
        return scoped == null || scoped.compareTo(spec.timeLimit()) > 0 ? spec.timeLimit() : scoped;
    }

    private static String inWords(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " seconds" : limit.toMillis() + " milliseconds";
    }

    // Who listens sees no more of a secret than who reads the result.
    private Outcome runHeard(Passage passage) throws InterruptedException {
        ToolContext context = passage.context();
        Call call = context.call();
        if (call.listener().equals(CallListener.NOBODY)) {
            return run(passage.bound(), passage, context);
        }
        try (LiveRedaction heard = new LiveRedaction(redactor.answering(call), call.listener())) {
            return run(
                    passage.bound(),
                    passage,
                    new ToolContext(call.followedBy(heard, call.cancellation()), context.bounds()));
        }
    }

    private static <A> Outcome run(Passage.Bound<A> bound, Passage passage, ToolContext context)
            throws InterruptedException {
        try {
            return new Outcome.Completed(bound.tool().call(bound.arguments(), context));
        } catch (ToolFailure expected) {
            return new Outcome.Failed(expected.failure());
        } catch (Unavailable unreachable) {
            if (Thread.interrupted()) {
                throw new InterruptedException(); // it was not out of reach, we hung up
            }
            LOG.warn("Call {}: dependency unavailable: {}", passage.call().requestId(), unreachable.getMessage());
            return failed(ErrorCode.SERVICE_UNAVAILABLE, String.valueOf(unreachable.getMessage()));
        } catch (RuntimeException | Error unexpected) {
            LOG.error(
                    "Tool '{}' broke in call {}",
                    bound.tool().spec().name(),
                    passage.call().requestId(),
                    unexpected);
            return failed(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "Tool '" + bound.tool().spec().name() + "' broke unexpectedly: "
                            + unexpected.getClass().getSimpleName());
        }
    }

    private static Optional<StageEnd> over(Outcome outcome) {
        return Optional.of(new StageEnd.Over(outcome));
    }

    private static Outcome cancelled() {
        return failed(ErrorCode.TOOL_EXECUTION_FAILED, "The call was cancelled");
    }

    private static Outcome failed(ErrorCode code, String message) {
        return new Outcome.Failed(Failure.of(code, message));
    }
}
