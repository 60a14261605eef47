package dev.toolgate.server.dialect.artifacts;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.port.AuditLog;
import dev.toolgate.core.port.AuditLog.Status;
import dev.toolgate.core.redact.Redactor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A change of artifacts whose end goes on record; each way to end it throws if it cannot be recorded. */
final class RecordedChange {
    private final AuditLog log;
    private final Redactor redactor;
    private final AuditLog.Intent intent;
    private final long startedNanos = System.nanoTime();

    RecordedChange(AuditLog log, Redactor redactor, AuditLog.Intent intent) {
        this.log = log;
        this.redactor = redactor;
        this.intent = intent;
    }

    AuditLog.Intent intent() {
        return intent;
    }

    /** It is done. */
    void done(ObjectNode facts) {
        record(
                Status.COMPLETED,
                redactor.record(facts).value(),
                null,
                "OK, " + facts.path("size").asLong() + " bytes");
    }

    /** It was begun and came to nothing. */
    void failed(ErrorCode code, String why) {
        record(Status.FAILED, intent.parameters(), code, why);
    }

    /** It may not be done. */
    void refused(ErrorCode code, String why) {
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
}
