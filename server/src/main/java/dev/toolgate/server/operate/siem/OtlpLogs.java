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

/** The audit log as OpenTelemetry log records, each with the whole record as its body. */
public final class OtlpLogs implements AuditSink {
    private static final int LONGEST_SEND_SECONDS = 30;

    private final SdkLoggerProvider provider;
    private final LongSupplier failures;
    private final Logger logger;
    private final CursorFile cursor;

    /**
     * @param failures how often anything could not be sent so far
     * @param cursor the file that remembers how far records have been sent
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
                .join(LONGEST_SEND_SECONDS, TimeUnit.SECONDS)
                .isSuccess();
        if (!sent || failures.getAsLong() != failuresBefore) {
            throw new IOException("The collector of OpenTelemetry logs does not take them");
        }
        cursor.write(records.getLast().cursor());
    }

    @Override
    public void close() {}
}
