package dev.toolgate.server.limit;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.tool.ToolCatalog;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rate limits shared by all instances through the database. Limits that are not set cost nothing; concurrent calls are
 * counted in batches.
 */
public final class RateLimits implements Limits {
    private static final Logger LOG = LoggerFactory.getLogger(RateLimits.class);
    /** One bucket for all unknown tool names, so that made-up names create no buckets. */
    private static final String UNKNOWN = "(unknown)";

    private static final int MAX_BUCKETS = 50_000;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    private static final long SWEEP_INTERVAL = Duration.ofMinutes(5).toNanos();

    private final Map<BucketKey, BucketProxy> known = new ConcurrentHashMap<>();
    private final AtomicLong sweptAt = new AtomicLong(System.nanoTime());
    private final RateLimitSettings settings;
    private final ToolCatalog catalog;
    private final PostgresBuckets buckets;

    private RateLimits(RateLimitSettings settings, ToolCatalog catalog, DataSource dataSource) {
        this.settings = settings;
        this.catalog = catalog;
        this.buckets =
                new PostgresBuckets(dataSource, ClientSideConfig.getDefault().withRequestTimeout(REQUEST_TIMEOUT));
    }

    /** The limits of these settings; without any, nothing is counted. */
    public static Limits of(RateLimitSettings settings, ToolCatalog catalog, DataSource dataSource) {
        return settings.equals(RateLimitSettings.OFF) ? Limits.NONE : new RateLimits(settings, catalog, dataSource);
    }

    @Override
    public Optional<Duration> mustWait(Caller caller, String tool) {
        sweepIfDue();
        List<BucketProxy> taken = new ArrayList<>(3);
        try {
            for (BucketKey key : keys(caller, tool)) {
                BucketProxy bucket = bucket(key);
                ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
                if (!probe.isConsumed()) {
                    // A call refused by one limit must not count against another.
                    taken.forEach(other -> other.addTokens(1));
                    return Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
                }
                taken.add(bucket);
            }
            return Optional.empty();
        } catch (Unavailable unavailable) {
            throw unavailable;
        } catch (RuntimeException unavailable) {
            throw new Unavailable("The rate limit could not be checked in time.", unavailable);
        }
    }

    // The narrowest first, so that a call stopped there takes nothing from the tenant's limit.
    private List<BucketKey> keys(Caller caller, String calledAs) {
        List<BucketKey> keys = new ArrayList<>(3);
        if (settings.perAgentAndTool() != null) {
            keys.add(BucketKey.of(caller, canonical(caller, calledAs), settings.perAgentAndTool()));
        }
        if (settings.perAgent() != null) {
            keys.add(BucketKey.ofAgent(caller, settings.perAgent()));
        }
        if (settings.perTenant() != null) {
            keys.add(BucketKey.ofTenant(caller, settings.perTenant()));
        }
        return keys;
    }

    private String canonical(Caller caller, String calledAs) {
        return catalog.find(caller.tenant(), calledAs)
                .map(tool -> tool.spec().name())
                .orElse(UNKNOWN);
    }

    private BucketProxy bucket(BucketKey key) {
        BucketProxy bucket = known.get(key);
        if (bucket != null) {
            return bucket;
        }
        if (known.size() >= MAX_BUCKETS) {
            known.clear(); // rare; the counts are in the database
        }
        return known.computeIfAbsent(key, _ -> buckets.builder()
                .withOptimization(Optimizations.batching())
                .build(key, key.limit()::configuration));
    }

    private void sweepIfDue() {
        long last = sweptAt.get();
        long now = System.nanoTime();
        if (now - last > SWEEP_INTERVAL && sweptAt.compareAndSet(last, now)) {
            Thread.ofVirtual().name("toolgate-limits").start(this::sweep);
        }
    }

    /** Deletes full buckets; called every few minutes. */
    void sweep() {
        try {
            buckets.sweep();
        } catch (Unavailable unavailable) {
            LOG.debug("Full rate limit buckets could not be deleted: {}", unavailable.getMessage());
        }
    }
}
