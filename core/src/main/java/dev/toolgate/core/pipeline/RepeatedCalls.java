package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.core.decision.GrantRule;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Before the first stage: claims a caller-chosen request id, so that only one of several calls under it runs; a
 * repeated call gets the first outcome.
 */
public final class RepeatedCalls {
    private static final Duration FIRST_POLL = Duration.ofMillis(20);
    private static final Duration MAX_POLL = Duration.ofSeconds(1);

    private final RequestKeys keys;
    private final GrantRule grants;
    private final Duration timeout;

    /**
     * @param grants decides who may still read an outcome
     * @param timeout how long a repeated call waits for the first one to end
     */
    public RepeatedCalls(RequestKeys keys, GrantRule grants, Duration timeout) {
        this.keys = keys;
        this.grants = grants;
        this.timeout = timeout;
    }

    /**
     * Claims the key of a call.
     *
     * @return the answer to a repeated call; empty if the call may proceed, being the first with its request id or
     *     joining its own approval request
     */
    Optional<Answer> claim(CallProgress progress) throws InterruptedException {
        if (progress.call().idOrigin() == Call.IdOrigin.BY_GATE) {
            return Optional.empty();
        }
        RequestKey key = CallDigest.key(progress.call());
        Earlier earlier = ended(key, keys::claim, Earlier.StillRunning.class::isInstance);
        return switch (earlier) {
            case Earlier.Nothing nothing -> {
                progress.keyClaim().take(key, () -> keys.release(key));
                yield Optional.empty();
            }
            case Earlier.Held held -> {
                if (progress.question() == null) {
                    progress.keyClaim().leaveToEqualCall(key);
                } else {
                    progress.keyClaim().keep(key); // this is the held call itself
                }
                yield Optional.empty();
            }
            case Earlier.SameCall same -> Optional.of(Answer.recorded(key.requestId(), same.outcome()));
            case Earlier.Permitted permitted -> permitted(progress.call(), permitted);
            case Earlier.StillRunning running -> running(key);
            case Earlier.OtherCall other -> other(key);
            case Earlier.Forgotten forgotten -> forgotten(key);
        };
    }

    /** The answer to a call whose key another call took; empty if that call left no outcome. */
    Optional<Answer> find(CallProgress progress) throws InterruptedException {
        RequestKey key = CallDigest.key(progress.call());
        Earlier earlier = progress.isResumed()
                ? keys.find(key)
                : ended(key, keys::find, found -> switch (found) {
                    case Earlier.StillRunning running -> true;
                    case Earlier.Held held -> true;
                    case Earlier.Nothing nothing -> false;
                    case Earlier.SameCall same -> false;
                    case Earlier.Permitted permitted -> false;
                    case Earlier.Forgotten forgotten -> false;
                    case Earlier.OtherCall other -> false;
                });
        return switch (earlier) {
            case Earlier.Nothing nothing -> Optional.empty();
            case Earlier.SameCall same -> Optional.of(Answer.recorded(key.requestId(), same.outcome()));
            case Earlier.Permitted permitted -> permitted(progress.call(), permitted);
            case Earlier.StillRunning running -> running(key);
            case Earlier.Held held -> running(key);
            case Earlier.OtherCall other -> other(key);
            case Earlier.Forgotten forgotten -> forgotten(key);
        };
    }

    /**
     * Why the outcome of an ended call may no longer be read; empty if it may.
     *
     * @param tools the canonical names of the tools called under its request id
     */
    Optional<Failure> objection(Call call, Set<String> tools) {
        return tools.stream()
                .filter(tool -> !grants.stillGrants(call, tool))
                .findFirst()
                .map(tool -> Failure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "The outcome of call '" + call.requestId() + "' may no longer be read, because agent '"
                                + call.caller().agent() + "' is no longer permitted to use tool '" + tool + "'"));
    }

    private Earlier ended(RequestKey key, Function<RequestKey, Earlier> look, Predicate<Earlier> isRunning)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Duration pause = FIRST_POLL;
        Earlier earlier = look.apply(key);
        while (isRunning.test(earlier) && System.nanoTime() < deadline) {
            Thread.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(MAX_POLL) < 0 ? pause.multipliedBy(2) : MAX_POLL;
            earlier = look.apply(key);
        }
        return earlier;
    }

    private static Optional<Answer> permitted(Call call, Earlier.Permitted permitted) {
        return Optional.of(new Answer.Permitted(call.requestId(), permitted.until(), call.arguments()));
    }

    private static Optional<Answer> running(RequestKey key) {
        return undecided(
                key,
                ErrorCode.REQUEST_RUNNING,
                "The call '" + key.requestId() + "' is still running",
                Answer.Undecided.State.RUNNING);
    }

    private static Optional<Answer> other(RequestKey key) {
        return undecided(
                key,
                ErrorCode.REQUEST_ID_TAKEN,
                "Request id '" + key.requestId() + "' was used before, for a different call",
                Answer.Undecided.State.UNRECORDED);
    }

    private static Optional<Answer> forgotten(RequestKey key) {
        return undecided(
                key,
                ErrorCode.REQUEST_ID_TAKEN,
                "The call '" + key.requestId() + "' has ended and its outcome is not kept, so it cannot be given again",
                Answer.Undecided.State.UNRECORDED);
    }

    private static Optional<Answer> undecided(
            RequestKey key, ErrorCode code, String message, Answer.Undecided.State state) {
        return Optional.of(new Answer.Undecided(key.requestId(), Failure.of(code, message), state));
    }
}
