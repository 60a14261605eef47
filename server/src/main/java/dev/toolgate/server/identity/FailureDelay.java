package dev.toolgate.server.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes those who keep failing wait, longer every time. It remembers the latest failures of so many
 * and forgets the oldest, so that failing cannot fill memory.
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
     * Asks who somebody is, unless they have to wait, and counts the answer.
     *
     * @param kind the kind of credentials; a success with one kind forgives no failure with another
     * @param remoteAddress whose failures count
     * @param what what they show, if a part of it can be told: then failures with it from everywhere
     *     count as well, but only for those who have failed themselves, so that nobody can keep others out
     */
    Identity slowed(String kind, String remoteAddress, @Nullable String what, Supplier<Identity> question) {
        String who = kind + " from " + RemoteAddress.network(remoteAddress);
        Optional<Duration> wait = before(who, what);
        if (wait.isPresent()) {
            return new Identity.SlowedDown(wait.get());
        }
        Identity identity = question.get();
        switch (identity) {
            case Identity.Known known -> succeeded(who);
            case Identity.Unknown unknown -> failed(who, what);
            case Identity.SlowedDown slowedDown -> {}
        }
        return identity;
    }

    private synchronized Optional<Duration> before(String who, @Nullable String what) {
        Instant now = clock.instant();
        Failures own = current(who, now);
        if (own == null) {
            return Optional.empty();
        }
        Failures shared = what == null ? null : current(what, now);
        Instant until = shared == null || own.until().isAfter(shared.until()) ? own.until() : shared.until();
        return now.isBefore(until) ? Optional.of(Duration.between(now, until)) : Optional.empty();
    }

    private synchronized void failed(String who, @Nullable String what) {
        count(who);
        if (what != null) {
            count(what);
        }
    }

    private synchronized void succeeded(String who) {
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
