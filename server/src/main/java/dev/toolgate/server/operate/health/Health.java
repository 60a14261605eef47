package dev.toolgate.server.operate.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Knows how the server is. Asking takes less than a second, whatever its parts do. */
public final class Health {
    private static final long LONGEST_NANOS = Duration.ofMillis(800).toNanos();

    private final String version;
    private final long startedNanos = System.nanoTime();
    private final Map<String, Probe> probes = new LinkedHashMap<>();

    public Health(String version) {
        this.version = version;
    }

    /**
     * Adds a part; for wiring, before anybody asks.
     *
     * @param whenSilent what to say of it when it cannot be looked at in time
     */
    public Health with(String name, Supplier<HealthCheck> look, HealthCheck whenSilent) {
        probes.put(name, new Probe(look, whenSilent));
        return this;
    }

    /** That the process answers, which is all that liveness means. */
    public HealthReport alive() {
        return new HealthReport(version, uptime(), Map.of());
    }

    /** How every part is, as of a second ago at most. */
    public HealthReport report() {
        long deadline = System.nanoTime() + LONGEST_NANOS;
        Map<String, CompletableFuture<HealthCheck>> asked = new LinkedHashMap<>();
        probes.forEach((name, probe) -> asked.put(name, probe.refreshed()));
        Map<String, HealthCheck> found = new LinkedHashMap<>();
        probes.forEach((name, probe) -> {
            CompletableFuture<HealthCheck> result = asked.get(name);
            if (result != null) {
                found.put(name, probe.result(result, deadline));
            }
        });
        return new HealthReport(version, uptime(), found);
    }

    private Duration uptime() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }
}
