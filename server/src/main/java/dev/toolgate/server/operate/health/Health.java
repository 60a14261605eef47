package dev.toolgate.server.operate.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Checks the health of the server in less than a second, even if its parts hang. */
public final class Health {
    private static final long TIMEOUT_NANOS = Duration.ofMillis(800).toNanos();

    private final String version;
    private final long startedNanos = System.nanoTime();
    private final Map<String, Probe> probes = new LinkedHashMap<>();

    public Health(String version) {
        this.version = version;
    }

    /**
     * Adds a check; for wiring only.
     *
     * @param onTimeout the result if the check does not end in time
     */
    public Health with(String name, Supplier<HealthCheck> check, HealthCheck onTimeout) {
        probes.put(name, new Probe(check, onTimeout));
        return this;
    }

    /** The liveness report: that the process answers. */
    public HealthReport alive() {
        return new HealthReport(version, uptime(), Map.of());
    }

    /** The result of every check, at most a second old. */
    public HealthReport report() {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
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
