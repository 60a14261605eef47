package dev.toolgate.server.operate.trace;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether and where OpenTelemetry data goes, as the usual {@code OTEL_} variables say. */
public final class Telemetry {
    /** What can be sent. */
    enum Signal {
        TRACES,
        LOGS
    }

    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

    private Telemetry() {}

    /** Starts what the variables ask for; empty, and nothing of OpenTelemetry is loaded, if they ask for nothing. */
    public static Optional<OpenTelemetryParts> open(Map<String, String> environment) {
        Set<Signal> asked = EnumSet.noneOf(Signal.class);
        if (tracesAsked(environment)) {
            asked.add(Signal.TRACES);
        }
        if (isAsked(environment, Signal.LOGS)) {
            asked.add(Signal.LOGS); // the audit log leaves only where somebody names logs, not because traces do
        }
        return asked.isEmpty() ? Optional.empty() : Optional.of(OpenTelemetryParts.open(environment, asked));
    }

    private static boolean tracesAsked(Map<String, String> environment) {
        return isAsked(environment, Signal.TRACES)
                || (isSet(environment, ENDPOINT) && !isOff(environment, Signal.TRACES));
    }

    private static boolean isAsked(Map<String, String> environment, Signal signal) {
        return !isOff(environment, signal)
                && (isSet(environment, "OTEL_" + signal + "_EXPORTER")
                        || isSet(environment, "OTEL_EXPORTER_OTLP_" + signal + "_ENDPOINT"));
    }

    private static boolean isOff(Map<String, String> environment, Signal signal) {
        return "true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"))
                || "none".equals(environment.get("OTEL_" + signal + "_EXPORTER"));
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }
}
