package dev.toolgate.core.audit;

import dev.toolgate.core.audit.AuditLog.Status;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.redact.RecordedParameters;
import dev.toolgate.core.redact.Redactor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One audited change that is not a tool call. Each method that ends it returns once the record is durable and throws
 * otherwise; report success only after that.
 */
public final class AuditedChange {
    private final AuditLog log;
    private final Redactor redactor;
    private final AuditLog.Intent intent;
    private final long startedNanos = System.nanoTime();

    AuditedChange(AuditLog log, Redactor redactor, AuditLog.Intent intent) {
        this.log = log;
        this.redactor = redactor;
        this.intent = intent;
    }

    /**
     * The change was made.
     *
     * @param facts recorded in place of the intended ones
     */
    public void done(ObjectNode facts, String summary) {
        record(Status.COMPLETED, recorded(facts), null, summary);
    }

    /** The change failed. */
    public void failed(ErrorCode code, String why) {
        record(Status.FAILED, intent.parameters(), code, why);
    }

    /** The change was refused. */
    public void refused(ErrorCode code, String why) {
        record(Status.REFUSED, intent.parameters(), code, why);
    }

    private void record(Status status, ObjectNode parameters, @Nullable ErrorCode code, String summary) {
        String clean = redactor.record(summary).value();
        log.record(new AuditLog.Entry(
                new AuditLog.Intent(
                        intent.kind(),
                        intent.requestId(),
                        intent.caller(),
                        intent.context(),
                        intent.project(),
                        intent.tool(),
                        intent.operation(),
                        parameters,
                        intent.argumentsDigest(),
                        intent.maskedCharacters(),
                        intent.at()),
                Duration.ofNanos(System.nanoTime() - startedNanos),
                status,
                code,
                status == Status.REFUSED ? clean : null,
                AuditLog.Approval.NONE,
                clean,
                null));
    }

    private ObjectNode recorded(ObjectNode facts) {
        return new RecordedParameters(redactor, null)
                .of(facts, RecordedParameters.Limit.OF_PERMITTED)
                .value();
    }
}
