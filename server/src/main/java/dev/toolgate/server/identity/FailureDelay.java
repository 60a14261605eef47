package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Identity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delays clients after repeated failed authentications, with exponential back-off. Credentials are checked first, so
 * that valid ones are never delayed by failures of others at the same address; only guessable ones are refused
 * unchecked during a delay. The latest failures of a bounded number of networks are kept.
 */
public final class FailureDelay {
    private static final int FREE_FAILURES = 10;
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration MIN_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    private static final int MAX_REMEMBERED = 50_000;

    private final LinkedHashMap<String, Failures> remembered = new LinkedHashMap<>();
    private final InstantSource clock;

    public FailureDelay(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Counts the result of checking credentials that cannot be guessed.
     *
     * @param kind the kind of credentials; a success with one kind does not reset failures with another
     * @param remoteAddress the client's address, by which failures are counted
     * @return the same identity, or for a failed client that is delayed, how long to wait
     */
    Identity counted(String kind, String remoteAddress, Identity identity) {
        String who = who(kind, remoteAddress);
        return switch (identity) {
            case Identity.Known known -> {
                succeeded(who);
                yield known;
            }
            case Identity.Unknown unknown ->
                failed(who).<Identity>map(Identity.SlowedDown::new).orElse(unknown);
            case Identity.SlowedDown slowedDown -> slowedDown;
        };
    }

    /** Checks guessable credentials, unless their sender is delayed, and counts the result. */
    Identity unlessWaiting(String kind, String remoteAddress, Supplier<Identity> check) {
        Optional<Duration> wait = wait(who(kind, remoteAddress));
        return wait.isPresent() ? new Identity.SlowedDown(wait.get()) : counted(kind, remoteAddress, check.get());
    }

    private static String who(String kind, String remoteAddress) {
        return kind + " from " + RemoteAddress.network(remoteAddress);
    }

    private synchronized Optional<Duration> wait(String who) {
        Instant now = clock.instant();
        Failures own = current(who, now);
        return own != null && now.isBefore(own.until())
                ? Optional.of(Duration.between(now, own.until()))
                : Optional.empty();
    }

    /** Counts a failure; further failures during a delay do not extend it. */
    private synchronized Optional<Duration> failed(String who) {
        Optional<Duration> wait = wait(who);
        if (wait.isEmpty()) {
            count(who);
        }
        return wait;
    }

    private synchronized void succeeded(String who) {
        remembered.remove(who);
    }

    private void count(String who) {
        Instant now = clock.instant();
        Failures before = current(who, now);
        int count = before == null ? 1 : before.count() + 1;
        remembered.remove(who); // moves it to the newest position
        remembered.put(who, new Failures(count, now.plus(delay(count))));
        if (remembered.size() > MAX_REMEMBERED) {
            remembered.pollFirstEntry();
        }
    }

    private @Nullable Failures current(String who, Instant now) {
        Failures failures = remembered.get(who);
        return failures == null || failures.until().plus(WINDOW).isBefore(now) ? null : failures;
    }

    private static Duration delay(int count) {
        if (count < FREE_FAILURES) {
            return Duration.ZERO;
        }
        int doublings = Math.min(count - FREE_FAILURES, 30);
        Duration delay = MIN_DELAY.multipliedBy(1L << doublings);
        return delay.compareTo(MAX_DELAY) < 0 ? delay : MAX_DELAY;
    }

    synchronized int size() {
        return remembered.size();
    }

    /**
     * @param until when the delay ends
     */
    private record Failures(int count, Instant until) {}
}
