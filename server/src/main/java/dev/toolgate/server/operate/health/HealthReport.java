package dev.toolgate.server.operate.health;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.operate.health.HealthCheck.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The health of the server and its parts. */
public record HealthReport(String version, Duration uptime, Map<String, HealthCheck> checks) {
    public HealthReport {
        checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
    }

    /** The worst state of the parts. */
    public State state() {
        return checks.values().stream()
                .map(HealthCheck::state)
                .max(State::compareTo)
                .orElse(State.OK);
    }

    /** Whether calls can be served; a degraded server can serve some. */
    public boolean isReady() {
        return state() != State.DOWN;
    }

    /**
     * The report as JSON.
     *
     * @param at when it was made
     */
    public ObjectNode json(Instant at) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("status", word(state()));
        json.put("service", "toolgate");
        json.put("version", version);
        json.put("uptime_seconds", uptime.toSeconds());
        ObjectNode parts = json.putObject("checks");
        checks.forEach((name, check) ->
                parts.putObject(name).put("status", word(check.state())).put("detail", check.detail()));
        return json.put("timestamp", at.toString());
    }

    private static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
