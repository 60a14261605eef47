package dev.toolgate.server.operate.trace;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/** Counts failed exports of log records, which the batch processor does not report. */
final class WatchedExport {
    private final AtomicLong failures = new AtomicLong();

    /** The number of failed exports so far. */
    long failures() {
        return failures.get();
    }

    LogRecordExporter watching(LogRecordExporter exporter) {
        return new LogRecordExporter() {
            @Override
            public CompletableResultCode export(Collection<LogRecordData> records) {
                CompletableResultCode result = exporter.export(records);
                result.whenComplete(() -> {
                    if (!result.isSuccess()) {
                        failures.incrementAndGet();
                    }
                });
                return result;
            }

            @Override
            public CompletableResultCode flush() {
                return exporter.flush();
            }

            @Override
            public CompletableResultCode shutdown() {
                return exporter.shutdown();
            }
        };
    }
}
