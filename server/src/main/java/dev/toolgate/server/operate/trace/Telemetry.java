package dev.toolgate.server.operate.trace;

import java.util.Map;
import java.util.Optional;

/** Whether and where OpenTelemetry data goes, as the usual {@code OTEL_} variables say. */
public final class Telemetry {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

    private Telemetry() {}

    /** Starts what the variables ask for; empty, and nothing of OpenTelemetry is loaded, if they ask for nothing. */
    public static Optional<OpenTelemetryParts> open(Map<String, String> environment) {
        return tracesAsked(environment) || logsAsked(environment)
                ? Optional.of(OpenTelemetryParts.open(environment, logsAsked(environment)))
                : Optional.empty();
    }

    private static boolean tracesAsked(Map<String, String> environment) {
        return isAsked(environment, "TRACES") || (isSet(environment, ENDPOINT) && !isOff(environment, "TRACES"));
    }

    // The audit log leaves the house only where somebody names logs, not because traces do.
    private static boolean logsAsked(Map<String, String> environment) {
        return isAsked(environment, "LOGS");
    }

    private static boolean isAsked(Map<String, String> environment, String signal) {
        return !isOff(environment, signal)
                && (isSet(environment, "OTEL_" + signal + "_EXPORTER")
                        || isSet(environment, "OTEL_EXPORTER_OTLP_" + signal + "_ENDPOINT"));
    }

    private static boolean isOff(Map<String, String> environment, String signal) {
        return "true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"))
                || "none".equals(environment.get("OTEL_" + signal + "_EXPORTER"));
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }
}
