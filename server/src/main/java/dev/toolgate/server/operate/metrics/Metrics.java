package dev.toolgate.server.operate.metrics;

import dev.toolgate.core.call.TenantId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Metrics for Prometheus. Meters are created once per tool and route, so their number is bounded. */
public final class Metrics implements AutoCloseable {
    private static final int MAX_TOOLS = 1000;
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(2)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ToolLabels names;
    private final Map<String, ToolMeter> tools = new ConcurrentHashMap<>();
    private final Map<RouteName, RouteMeter> routes = new ConcurrentHashMap<>();
    private final AtomicBoolean machineWatched = new AtomicBoolean();

    public Metrics(ToolLabels names) {
        this.names = names;
    }

    /** The meters of a tenant's tool with this name or alias; unknown names share one. */
    public ToolMeter tool(TenantId tenant, String name) {
        String canonical = names.of(tenant, name);
        ToolMeter known = tools.get(canonical);
        if (known != null) {
            return known;
        }
        String bounded = tools.size() < MAX_TOOLS ? canonical : ToolLabels.UNKNOWN;
        return tools.computeIfAbsent(bounded, tool -> new ToolMeter(registry, tool));
    }

    /**
     * Records the end of a request.
     *
     * @param route the route's pattern, for example {@code /api/v1/agents/{agent_id}}; never a path sent by a client
     */
    public void requestEnded(String method, String route, int status, long nanoseconds) {
        routes.computeIfAbsent(new RouteName(method, route), name -> new RouteMeter(registry, name))
                .answered(status, nanoseconds);
    }

    record RouteName(String method, String pattern) {}

    /** Registers a gauge. */
    public void watch(String name, String description, Map<String, String> labels, Supplier<Number> number) {
        Tags tags = Tags.empty();
        for (Map.Entry<String, String> label : labels.entrySet()) {
            tags = tags.and(label.getKey(), label.getValue());
        }
        Gauge.builder(name, number)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    /** All metrics in the Prometheus text format. */
    public String scrape() {
        if (machineWatched.compareAndSet(false, true)) {
            watchMachine(); // not at start-up, to keep it fast
        }
        return registry.scrape();
    }

    private void watchMachine() {
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    static Timer timer(PrometheusMeterRegistry registry, String name, String description, Tags tags) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    @Override
    public void close() {
        registry.close();
    }
}
