package dev.toolgate.server.operate.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Counts and times the requests of one route. */
final class RouteMeter {
    private static final int STATUSES = 600;

    private final PrometheusMeterRegistry registry;
    private final Tags tags;
    private final Timer timer;
    private final AtomicReferenceArray<@Nullable Counter> counters = new AtomicReferenceArray<>(STATUSES);

    RouteMeter(PrometheusMeterRegistry registry, Metrics.RouteName name) {
        this.registry = registry;
        this.tags = Tags.of("route", name.pattern(), "method", name.method());
        this.timer = Metrics.timer(registry, "toolgate.http.request", "How long requests take", tags);
    }

    /** Records a response. */
    void answered(int status, long nanos) {
        timer.record(nanos, TimeUnit.NANOSECONDS);
        counter(status < 0 || status >= STATUSES ? 0 : status).increment();
    }

    private Counter counter(int status) {
        Counter known = counters.get(status);
        if (known == null) {
            known = Counter.builder("toolgate.http.requests")
                    .description("Requests by status")
                    .tags(tags.and("status", Integer.toString(status)))
                    .register(registry); // returns the same counter to concurrent callers
            counters.set(status, known);
        }
        return known;
    }
}
