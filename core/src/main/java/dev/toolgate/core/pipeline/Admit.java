package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RetryDelay;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.limit.RefusedCalls;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.Session;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** First stage: checks the caller's session and rate limits. */
public final class Admit implements Stage {
    /** Refusals that people decide or that another limit already counts. */
    private static final Set<ErrorCode> NOT_COUNTED = EnumSet.of(
            ErrorCode.APPROVAL_REQUIRED, ErrorCode.APPROVAL_DENIED, ErrorCode.APPROVAL_TIMEOUT, ErrorCode.RATE_LIMITED);

    private final Policies policies;
    private final Limits limits;
    private final RefusedCalls refusedCalls;
    private final Clock clock;

    /** Without a limit on refused calls. */
    public Admit(Policies policies, Limits limits, Clock clock) {
        this(policies, limits, RefusedCalls.UNCOUNTED, clock);
    }

    public Admit(Policies policies, Limits limits, RefusedCalls refusedCalls, Clock clock) {
        this.policies = policies;
        this.limits = limits;
        this.refusedCalls = refusedCalls;
        this.clock = clock;
    }

    /** Whether too many calls of the caller were refused; checked first, so that rejecting it is cheap. */
    Optional<RefusedCalls.Rejection> rejection(CallProgress progress) {
        return refusedCalls.rejection(progress.call().caller());
    }

    static Failure tooManyRefused(RefusedCalls.Rejection rejection) {
        return tooOften("Too many calls were refused; fix the calls and", rejection.retryAfter());
    }

    /** Counts a call that ended before its tool started, if the caller caused that. */
    void ended(CallProgress progress, Outcome outcome) {
        if (!progress.hasStarted() && isCausedByCaller(outcome)) {
            refusedCalls.count(progress.call().caller());
        }
    }

    private static boolean isCausedByCaller(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> false;
            case Outcome.Failed failed ->
                failed.failure().code() == ErrorCode.INVALID_REQUEST
                        || failed.failure().code() == ErrorCode.TOOL_NOT_FOUND;
            case Outcome.Refused refused ->
                !NOT_COUNTED.contains(refused.failure().code());
        };
    }

    @Override
    public Optional<StageEnd> apply(CallProgress progress) {
        return session(progress).or(() -> limits.mustWait(
                        progress.call().caller(), progress.call().toolName())
                .map(wait -> refused(tooOften("Too many calls;", wait))));
    }

    /** Checks only the session; counts nothing. */
    Optional<StageEnd> session(CallProgress progress) {
        Caller caller = progress.call().caller();
        SessionId session = caller.session();
        if (session == null) {
            return Optional.empty();
        }
        Session found = progress.preloadedSession() != null
                ? progress.preloadedSession()
                : policies.find(caller.tenant(), session).orElse(null);
        if (found == null) {
            return Optional.of(refused(Session.notFound(session.value())));
        }
        Optional<StageEnd> refusal = found.refusal(caller, clock.instant()).map(Admit::refused);
        if (refusal.isEmpty()) {
            progress.admitted(found);
        }
        return refusal;
    }

    private static StageEnd refused(Failure why) {
        return new StageEnd.Ended(new Outcome.Refused(why));
    }

    private static Failure tooOften(String why, Duration wait) {
        return Failure.of(ErrorCode.RATE_LIMITED, why + " retry after " + RetryDelay.seconds(wait) + " seconds")
                .withRetryAfter(wait);
    }
}
