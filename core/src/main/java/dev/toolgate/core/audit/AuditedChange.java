package dev.toolgate.core.audit;

import dev.toolgate.core.audit.AuditLog.Status;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.redact.RecordedParameters;
import dev.toolgate.core.redact.Redactor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One change that is no call of a tool and is on record like one. Each way to end it returns once that is durable, and
 * throws if it cannot be; whoever makes the change tells nobody that it is done before.
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
     * It is done.
     *
     * @param facts what the record says instead of what was intended
     */
    public void done(ObjectNode facts, String summary) {
        record(Status.COMPLETED, recorded(facts), null, summary);
    }

    /** It was begun and came to nothing. */
    public void failed(ErrorCode code, String why) {
        record(Status.FAILED, intent.parameters(), code, why);
    }

    /** It may not be done. */
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
