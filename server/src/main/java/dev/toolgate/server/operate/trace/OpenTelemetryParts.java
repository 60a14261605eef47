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

/** The OpenTelemetry SDK of this process. */
public final class OpenTelemetryParts implements AutoCloseable {
    private static final int SHUTDOWN_TIMEOUT_SECONDS = 5;

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
        // Call events have their own queue, so that many of them cannot displace audit records.
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

    // Environment variables override these defaults.
    private static Map<String, String> properties(Map<String, String> environment, Set<Telemetry.Signal> asked) {
        Map<String, String> properties = new HashMap<>();
        properties.put("otel.service.name", "toolgate");
        properties.put("otel.exporter.otlp.protocol", "http/protobuf");
        properties.put("otel.metrics.exporter", "none"); // metrics are exported by Prometheus
        properties.put("otel.traces.exporter", asked.contains(Telemetry.Signal.TRACES) ? "otlp" : "none");
        properties.put("otel.logs.exporter", asked.contains(Telemetry.Signal.LOGS) ? "otlp" : "none");
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_") && !value.isBlank()) {
                properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return properties;
    }

    /** Tracing of calls. */
    public CallTracing calls(TelemetrySettings settings, ToolLabels names, Redactor redactor) {
        return new SpanPerCall(
                sdk.getTracer("toolgate"),
                names,
                settings.captureContent() ? CapturedContent.cleanedBy(redactor) : CapturedContent.NONE);
    }

    /** Call events as log records; empty unless logs are exported. */
    public Optional<CallEvents> callEvents(ToolLabels names) {
        return events.map(open -> new LogPerEvent(open.getSdkLoggerProvider().get("toolgate.calls"), names));
    }

    /**
     * The audit log as log records; empty unless logs are exported.
     *
     * @param cursor the file for the cursor
     */
    public Optional<OtlpLogs> auditLogs(Path cursor) {
        return logs.map(export -> new OtlpLogs(sdk.getSdkLoggerProvider(), export::failures, cursor));
    }

    /** Flushes the queues, for a few seconds at most. */
    @Override
    public void close() {
        events.ifPresent(open -> open.shutdown().join(SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS));
        sdk.shutdown().join(SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
