package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.policy.Session;
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
        Caller caller = passage.call().caller();
        SessionId session = caller.session();
        if (session == null) {
            return Optional.empty();
        }
        Session found = policies.find(caller.tenant(), session).orElse(null);
        if (found == null) {
            return Optional.of(new Outcome.Refused(Session.notFound(session.value())));
        }
        Optional<Outcome> refusal = found.refusal(caller, clock.instant()).map(Outcome.Refused::new);
        if (refusal.isEmpty()) {
            passage.admitted(found);
        }
        return refusal;
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
