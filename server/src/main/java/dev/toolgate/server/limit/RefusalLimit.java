package dev.toolgate.server.limit;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RetryDelay;
import dev.toolgate.core.limit.RefusedCalls;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits refused calls per agent and key, in memory and per server, because a flood of refused calls must cost next to
 * nothing. A key that acts as many agents has a limit of its own.
 */
public final class RefusalLimit implements RefusedCalls {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLimit.class);
    private static final int MAX_BUCKETS = 20_000;
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);
    /** The limit of a key, as a multiple of the limit of one agent. */
    private static final int AGENTS_PER_KEY = 10;

    private final Map<Key, Bucket> buckets = new ConcurrentHashMap<>();
    private final Limit perAgent;
    private final Limit perKey;
    private final LongSupplier nanos;
    private final AtomicLong nextSweep;

    private RefusalLimit(Limit perAgent, LongSupplier nanos) {
        this.perAgent = perAgent;
        this.perKey = new Limit(
                Math.min(Limit.MAX_CALLS, perAgent.calls() * AGENTS_PER_KEY),
                perAgent.period(),
                Math.min(Limit.MAX_CALLS, perAgent.burst() * AGENTS_PER_KEY));
        this.nanos = nanos;
        this.nextSweep = new AtomicLong(nanos.getAsLong());
    }

    /** Creates a limit of refused calls per agent. */
    public static RefusedCalls of(Limit perAgent) {
        return of(perAgent, System::nanoTime);
    }

    static RefusalLimit of(Limit perAgent, LongSupplier nanos) {
        return new RefusalLimit(perAgent, nanos);
    }

    @Override
    public void count(Caller caller) {
        count(ofAgent(caller), perAgent);
        count(ofKey(caller), perKey);
    }

    @Override
    public Optional<Rejection> rejection(Caller caller) {
        return rejection(caller, ofAgent(caller)).or(() -> rejection(caller, ofKey(caller)));
    }

    private Optional<Rejection> rejection(Caller caller, Key key) {
        Bucket bucket = buckets.get(key);
        if (bucket == null) {
            return Optional.empty();
        }
        Optional<Rejection> rejection = bucket.rejection();
        rejection
                .filter(first -> first.rejectedBefore() == 0)
                .ifPresent(first -> LOG.warn(
                        "Calls of agent {} by {} are blocked for {} s: too many were refused",
                        caller.agent(),
                        caller.principal(),
                        RetryDelay.seconds(first.retryAfter())));
        return rejection;
    }

    // Keyed by the principal, not only by the agent it names, so that no principal can use up another's limit.
    private static Key ofAgent(Caller caller) {
        return new Key(
                caller.tenant().value(), caller.principal(), caller.agent().value());
    }

    private static Key ofKey(Caller caller) {
        return new Key(caller.tenant().value(), caller.principal(), "");
    }

    private void count(Key key, Limit limit) {
        Bucket known = buckets.get(key);
        if (known == null) {
            known = add(key, limit);
        }
        if (known != null) {
            known.take();
        }
    }

    /**
     * A new bucket. Where too many are in use, new agents are counted for their key only; where there are too many
     * keys, new ones are not counted, since sharing a bucket would let them use up each other's limit.
     */
    private @Nullable Bucket add(Key key, Limit limit) {
        if (buckets.size() >= MAX_BUCKETS) {
            sweep();
        }
        if (buckets.size() >= (key.isOfAgent() ? MAX_BUCKETS : 2 * MAX_BUCKETS)) {
            return null;
        }
        return buckets.computeIfAbsent(key, _ -> new Bucket(limit, nanos));
    }

    // Not for every refused call: scanning all buckets each time would make a flood expensive.
    private void sweep() {
        long now = nanos.getAsLong();
        long due = nextSweep.get();
        if (now - due >= 0 && nextSweep.compareAndSet(due, now + SWEEP_INTERVAL.toNanos())) {
            buckets.values().removeIf(Bucket::isFull);
        }
    }

    int size() {
        return buckets.size();
    }

    /**
     * @param agent empty for all agents of a key
     */
    private record Key(String tenant, String principal, String agent) {
        boolean isOfAgent() {
            return !agent.isEmpty();
        }
    }

    /** A token bucket. */
    private static final class Bucket {
        private final Limit limit;
        private final LongSupplier nanos;
        private double left;
        private long filledAt;
        private long rejected;

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

        synchronized Optional<Rejection> rejection() {
            fill();
            if (left >= 1) {
                return Optional.empty();
            }
            long wait = (long) Math.ceil((1 - left) * nanosPerCall());
            return Optional.of(new Rejection(Duration.ofNanos(wait), rejected++));
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
                rejected = 0; // later refusals count as a new flood
            }
        }

        private double nanosPerCall() {
            return (double) limit.period().toNanos() / limit.calls();
        }
    }
}
