package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.port.Limits;
import dev.toolgate.core.port.Policies;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** First stage: is the caller's session good, and has the caller calls left? */
public final class Admit implements Stage {
    private final Policies policies;
    private final Limits limits;
    private final Clock clock;

    public Admit(Policies policies, Limits limits, Clock clock) {
        this.policies = policies;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public Optional<Outcome> apply(Passage passage) {
        return session(passage).or(() -> limits.mustWait(
                        passage.call().caller(), passage.call().toolName())
                .map(Admit::tooOften));
    }

    /** Only whether the session is good; counts nothing. */
    Optional<Outcome> session(Passage passage) {
        SessionId session = passage.call().caller().session();
        if (session != null) {
            PolicyBundle bundle =
                    policies.find(passage.call().caller().tenant(), session).orElse(null);
            if (bundle == null) {
                return refuse(ErrorCode.SESSION_NOT_FOUND, "There is no session '" + session + "'");
            }
            if (!bundle.schemaVersion().equals(PolicyBundle.SCHEMA_VERSION)
                    || !bundle.sessionId().equals(session)
                    || !bundle.tenantId().equals(passage.call().caller().tenant())) {
                return refuse(
                        ErrorCode.POLICY_BUNDLE_INVALID,
                        "The policy bundle of session '" + session
                                + "' does not belong to it or is of an unknown version");
            }
            if (!clock.instant().isBefore(bundle.expiresAt())) {
                return refuse(
                        ErrorCode.POLICY_EXPIRED,
                        "The policy bundle of session '" + session + "' expired at " + bundle.expiresAt());
            }
            passage.admitted(bundle);
        }
        return Optional.empty();
    }

    private static Optional<Outcome> refuse(ErrorCode code, String message) {
        return Optional.of(new Outcome.Refused(Failure.of(code, message)));
    }

    private static Outcome tooOften(Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new Outcome.Refused(new Failure(
                ErrorCode.RATE_LIMITED,
                "Too many calls; retry after " + seconds + " seconds",
                Map.of("retryAfterSeconds", seconds),
                null));
    }
}
