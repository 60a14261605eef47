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
 * Tells those who keep failing to wait, longer every time. Credentials are checked first, so that a valid one never
 * waits for the failures of others who share its address; only what could be guessed is not even looked at meanwhile.
 * The latest failures of a bounded number of networks are remembered.
 */
public final class FailureDelay {
    private static final int FREE_FAILURES = 10;
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 50_000;

    private final LinkedHashMap<String, Failures> remembered = new LinkedHashMap<>();
    private final InstantSource clock;

    public FailureDelay(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Counts how a check of credentials ended that nobody can guess.
     *
     * @param kind the kind of credentials; a success with one kind forgives no failure with another
     * @param remoteAddress whose failures count
     * @return the same identity, or for a failure of somebody who has to wait, how long
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

    /** Checks credentials that could be guessed, unless their sender has to wait, and counts how that ended. */
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

    /** Counts a failure; while somebody waits, further ones make the wait no longer. */
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
        remembered.remove(who); // so that it becomes the newest
        remembered.put(who, new Failures(count, now.plus(delay(count))));
        if (remembered.size() > MOST_REMEMBERED) {
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
        Duration delay = SHORTEST.multipliedBy(1L << doublings);
        return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
    }

    synchronized int size() {
        return remembered.size();
    }

    /**
     * @param until when the next attempt counts again
     */
    private record Failures(int count, Instant until) {}
}
