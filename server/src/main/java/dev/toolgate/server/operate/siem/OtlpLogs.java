package dev.toolgate.server.operate.siem;

import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Exports the audit log as OpenTelemetry log records, with the whole record as the body. */
public final class OtlpLogs implements AuditSink {
    private static final int SEND_TIMEOUT_SECONDS = 30;

    private final SdkLoggerProvider provider;
    private final LongSupplier failures;
    private final Logger logger;
    private final CursorFile cursor;

    /**
     * @param failures the number of failed exports so far
     * @param cursor the file for the cursor
     */
    public OtlpLogs(SdkLoggerProvider provider, LongSupplier failures, Path cursor) {
        this.provider = provider;
        this.failures = failures;
        this.logger = provider.get("toolgate.audit");
        this.cursor = new CursorFile(cursor);
    }

    @Override
    public Optional<String> cursor() throws IOException {
        return cursor.read();
    }

    @Override
    public void take(List<AuditSource.Item> records) throws IOException {
        long failuresBefore = failures.getAsLong();
        for (AuditSource.Item record : records) {
            logger.logRecordBuilder()
                    .setEventName("toolgate.audit")
                    .setSeverity(Severity.INFO)
                    .setBody(record.json())
                    .emit();
        }
        boolean sent = provider.forceFlush()
                .join(SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .isSuccess();
        if (!sent || failures.getAsLong() != failuresBefore) {
            throw new IOException("The OpenTelemetry collector did not accept the log records");
        }
        cursor.write(records.getLast().cursor());
    }

    @Override
    public void close() {}
}
