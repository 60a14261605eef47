package dev.toolgate.server.operate.trace;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Starts OpenTelemetry as configured by the standard {@code OTEL_} variables. */
public final class Telemetry {
    /** A kind of telemetry. */
    enum Signal {
        TRACES,
        LOGS
    }

    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

    private Telemetry() {}

    /** Starts the configured signals; empty, without loading OpenTelemetry, if none is configured. */
    public static Optional<OpenTelemetryParts> open(Map<String, String> environment) {
        Set<Signal> asked = EnumSet.noneOf(Signal.class);
        if (tracesAsked(environment)) {
            asked.add(Signal.TRACES);
        }
        if (isAsked(environment, Signal.LOGS)) {
            asked.add(Signal.LOGS); // the audit log is exported only if logs are configured explicitly
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
