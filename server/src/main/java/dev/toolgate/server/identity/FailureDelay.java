package dev.toolgate.server.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes those who keep failing wait, longer every time. It remembers the latest failures of so many
 * and forgets the oldest, so that failing cannot fill memory.
 */
final class FailureDelay {
    private static final int FREE_FAILURES = 10;
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 50_000;

    private final LinkedHashMap<String, Failures> remembered = new LinkedHashMap<>();
    private final InstantSource clock;

    FailureDelay(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * How long somebody has to wait before they may try again; empty if they need not. A subject that
     * many fail at, such as the beginning of a key, makes only those wait who have failed themselves.
     *
     * @param who whose failures count in any case
     * @param what what is tried, if it can be told
     */
    synchronized Optional<Duration> before(String who, @Nullable String what) {
        Instant now = clock.instant();
        Failures own = current(who, now);
        if (own == null) {
            return Optional.empty();
        }
        Failures shared = what == null ? null : current(what, now);
        Instant until = shared == null || own.until().isAfter(shared.until()) ? own.until() : shared.until();
        return now.isBefore(until) ? Optional.of(Duration.between(now, until)) : Optional.empty();
    }

    /** Somebody failed. */
    synchronized void failed(String who, @Nullable String what) {
        count(who);
        if (what != null) {
            count(what);
        }
    }

    /** Somebody did not fail, so what they did before was a mistake. */
    synchronized void succeeded(String who) {
        remembered.remove(who);
    }

    private void count(String subject) {
        Instant now = clock.instant();
        Failures before = current(subject, now);
        int count = before == null ? 1 : before.count() + 1;
        remembered.remove(subject); // so that it becomes the newest
        remembered.put(subject, new Failures(count, now.plus(delay(count))));
        if (remembered.size() > MOST_REMEMBERED) {
            remembered.pollFirstEntry();
        }
    }

    private @Nullable Failures current(String subject, Instant now) {
        Failures failures = remembered.get(subject);
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
     * @param until when the next attempt is looked at
     */
    private record Failures(int count, Instant until) {}
}
