package dev.toolgate.server.limit;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RetryDelay;
import dev.toolgate.core.limit.RefusedCalls;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the calls that are refused, for each agent of each key: in memory and on this server alone, because a flood of
 * refused calls must cost next to nothing. A key that names one agent after the other has a limit of its own.
 */
public final class RefusalLimit implements RefusedCalls {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLimit.class);
    private static final int MOST_KNOWN = 20_000;
    /** How much more than one of its agents a key may have refused. */
    private static final int AGENTS_PER_KEY = 10;

    private final Map<Key, Bucket> buckets = new ConcurrentHashMap<>();
    private final Limit perAgent;
    private final Limit perKey;
    private final LongSupplier nanos;

    private RefusalLimit(Limit perAgent, LongSupplier nanos) {
        this.perAgent = perAgent;
        this.perKey = new Limit(
                Math.min(Limit.MOST, perAgent.calls() * AGENTS_PER_KEY),
                perAgent.period(),
                Math.min(Limit.MOST, perAgent.burst() * AGENTS_PER_KEY));
        this.nanos = nanos;
    }

    /** At most so many refused calls of an agent. */
    public static RefusedCalls of(Limit perAgent) {
        return of(perAgent, System::nanoTime);
    }

    static RefusedCalls of(Limit perAgent, LongSupplier nanos) {
        return new RefusalLimit(perAgent, nanos);
    }

    @Override
    public void count(Caller caller) {
        bucket(ofAgent(caller), perAgent).take();
        bucket(ofKey(caller), perKey).take();
    }

    @Override
    public Optional<TurnedAway> turnedAway(Caller caller) {
        return turnedAway(caller, ofAgent(caller)).or(() -> turnedAway(caller, ofKey(caller)));
    }

    private Optional<TurnedAway> turnedAway(Caller caller, Key key) {
        Bucket bucket = buckets.get(key);
        if (bucket == null) {
            return Optional.empty();
        }
        Optional<TurnedAway> turnedAway = bucket.turnedAway();
        turnedAway
                .filter(first -> first.before() == 0)
                .ifPresent(first -> LOG.warn(
                        "Calls of agent {} by {} are turned away for {} s: too many were refused",
                        caller.agent(),
                        caller.principal(),
                        RetryDelay.seconds(first.retryAfter())));
        return turnedAway;
    }

    // By who showed the key, not only by the agent named: nobody can use up the calls of another.
    private static Key ofAgent(Caller caller) {
        return new Key(
                caller.tenant().value(), caller.principal(), caller.agent().value());
    }

    private static Key ofKey(Caller caller) {
        return new Key(caller.tenant().value(), caller.principal(), "");
    }

    private Bucket bucket(Key key, Limit limit) {
        Bucket known = buckets.get(key);
        if (known != null) {
            return known;
        }
        if (buckets.size() >= MOST_KNOWN) {
            buckets.values().removeIf(Bucket::isFull);
        }
        // Still too many: agents whose calls were refused just now share one bucket for each key.
        Key counted = buckets.size() >= MOST_KNOWN ? new Key(key.tenant(), key.principal(), "") : key;
        return buckets.computeIfAbsent(counted, _ -> new Bucket(limit, nanos));
    }

    private record Key(String tenant, String principal, String agent) {}

    /** So many calls at once, and more as time goes by. */
    private static final class Bucket {
        private final Limit limit;
        private final LongSupplier nanos;
        private double left;
        private long filledAt;
        private long turnedAway;

        Bucket(Limit limit, LongSupplier nanos) {
            this.limit = limit;
            this.nanos = nanos;
            this.left = limit.burst();
            this.filledAt = nanos.getAsLong();
        }

        synchronized void take() {
            fill();
            left = Math.max(0, left - 1);
        }

        synchronized Optional<TurnedAway> turnedAway() {
            fill();
            if (left >= 1) {
                return Optional.empty();
            }
            long wait = (long) Math.ceil((1 - left) * nanosPerCall());
            return Optional.of(new TurnedAway(Duration.ofNanos(wait), turnedAway++));
        }

        synchronized boolean isFull() {
            fill();
            return left >= limit.burst();
        }

        private void fill() {
            long now = nanos.getAsLong();
            left = Math.min((double) limit.burst(), left + (double) (now - filledAt) / nanosPerCall());
            filledAt = now;
            if (left >= limit.burst() / 2.0) {
                turnedAway = 0; // what comes now is another flood
            }
        }

        private double nanosPerCall() {
            return (double) limit.period().toNanos() / limit.calls();
        }
    }
}
