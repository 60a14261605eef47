package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.port.RequestKey;
import dev.toolgate.core.port.RequestKeys;
import dev.toolgate.core.port.RequestKeys.Earlier;
import java.time.Duration;
import java.util.Optional;

/**
 * Before the first stage: a call whose caller chose its request id and that has been made before is
 * answered with the first outcome.
 */
public final class Repeats {
    private static final Duration FIRST_NAP = Duration.ofMillis(20);
    private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

    private final RequestKeys keys;
    private final Duration patience;

    /**
     * @param patience how long a repeated call waits for the first one to end
     */
    public Repeats(RequestKeys keys, Duration patience) {
        this.keys = keys;
        this.patience = patience;
    }

    /** The answer to a repeated call; empty for the first one with its request id. */
    Optional<Answer> answer(Passage passage) throws InterruptedException {
        if (passage.call().naming() == Call.Naming.BY_GATE) {
            return Optional.empty();
        }
        RequestKey key = CallDigest.key(passage.call());
        passage.known(key);
        Earlier earlier = ended(key);
        return switch (earlier) {
            case Earlier.Nothing nothing -> Optional.empty();
            case Earlier.SameCall same -> Optional.of(new Answer(key.requestId(), same.outcome(), true));
            case Earlier.StillRunning running ->
                refuse(key, ErrorCode.REQUEST_RUNNING, "The call '" + key.requestId() + "' is still running");
            case Earlier.OtherCall other ->
                refuse(
                        key,
                        ErrorCode.REQUEST_ID_TAKEN,
                        "Request id '" + key.requestId() + "' was used before, for a different call");
            case Earlier.Forgotten forgotten ->
                refuse(
                        key,
                        ErrorCode.REQUEST_ID_TAKEN,
                        "The call '" + key.requestId()
                                + "' has ended and its outcome is not kept, so it cannot be given again");
        };
    }

    private Earlier ended(RequestKey key) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Duration nap = FIRST_NAP;
        Earlier earlier = keys.find(key);
        while (earlier instanceof Earlier.StillRunning && System.nanoTime() < deadline) {
            Thread.sleep(nap);
            nap = nap.multipliedBy(2).compareTo(LONGEST_NAP) < 0 ? nap.multipliedBy(2) : LONGEST_NAP;
            earlier = keys.find(key);
        }
        return earlier;
    }

    private static Optional<Answer> refuse(RequestKey key, ErrorCode code, String message) {
        return Optional.of(new Answer(key.requestId(), new Outcome.Refused(Failure.of(code, message)), false));
    }
}
