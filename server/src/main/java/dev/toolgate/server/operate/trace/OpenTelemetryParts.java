package dev.toolgate.server.operate.trace;

import dev.toolgate.core.redact.Redactor;
import dev.toolgate.server.config.TelemetrySettings;
import dev.toolgate.server.operate.metrics.ToolLabels;
import dev.toolgate.server.operate.siem.OtlpLogs;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The running OpenTelemetry of this process. */
public final class OpenTelemetryParts implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 5;

    private final OpenTelemetrySdk sdk;
    private final Optional<WatchedExport> logs;
    private final Optional<OpenTelemetrySdk> events;

    private OpenTelemetryParts(OpenTelemetrySdk sdk, Optional<WatchedExport> logs, Optional<OpenTelemetrySdk> events) {
        this.sdk = sdk;
        this.logs = logs;
        this.events = events;
    }

    static OpenTelemetryParts open(Map<String, String> environment, Set<Telemetry.Signal> asked) {
        WatchedExport export = new WatchedExport();
        OpenTelemetrySdk sdk = sdk(environment, asked, export);
        // Events have a queue of their own, so that many of them cannot push records of the audit log out of it.
        return asked.contains(Telemetry.Signal.LOGS)
                ? new OpenTelemetryParts(
                        sdk,
                        Optional.of(export),
                        Optional.of(sdk(environment, EnumSet.of(Telemetry.Signal.LOGS), new WatchedExport())))
                : new OpenTelemetryParts(sdk, Optional.empty(), Optional.empty());
    }

    private static OpenTelemetrySdk sdk(
            Map<String, String> environment, Set<Telemetry.Signal> asked, WatchedExport export) {
        return AutoConfiguredOpenTelemetrySdk.builder()
                .addPropertiesSupplier(() -> properties(environment, asked))
                .addLogRecordExporterCustomizer((exporter, _) -> export.watching(exporter))
                .disableShutdownHook()
                .build()
                .getOpenTelemetrySdk();
    }

    // What the process's own environment says wins over these.
    private static Map<String, String> properties(Map<String, String> environment, Set<Telemetry.Signal> asked) {
        Map<String, String> properties = new HashMap<>();
        properties.put("otel.service.name", "toolgate");
        properties.put("otel.exporter.otlp.protocol", "http/protobuf");
        properties.put("otel.metrics.exporter", "none"); // Prometheus has them
        properties.put("otel.traces.exporter", asked.contains(Telemetry.Signal.TRACES) ? "otlp" : "none");
        properties.put("otel.logs.exporter", asked.contains(Telemetry.Signal.LOGS) ? "otlp" : "none");
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_") && !value.isBlank()) {
                properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return properties;
    }

    /** Traces of calls. */
    public CallTracing calls(TelemetrySettings settings, ToolLabels names, Redactor redactor) {
        return new SpanPerCall(
                sdk.getTracer("toolgate"),
                names,
                settings.captureContent() ? CapturedContent.cleanedBy(redactor) : CapturedContent.NONE);
    }

    /** The events of calls as log records; empty unless logs are exported. */
    public Optional<CallEvents> callEvents(ToolLabels names) {
        return events.map(open -> new LogPerEvent(open.getSdkLoggerProvider().get("toolgate.calls"), names));
    }

    /**
     * The audit log as log records; empty unless logs are exported.
     *
     * @param cursor the file that remembers how far they have been sent
     */
    public Optional<OtlpLogs> auditLogs(Path cursor) {
        return logs.map(export -> new OtlpLogs(sdk.getSdkLoggerProvider(), export::failures, cursor));
    }

    /** Sends what waits, for a few seconds at most. */
    @Override
    public void close() {
        events.ifPresent(open -> open.shutdown().join(LONGEST_END_SECONDS, TimeUnit.SECONDS));
        sdk.shutdown().join(LONGEST_END_SECONDS, TimeUnit.SECONDS);
    }
}
