package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.redact.Masked;
import dev.toolgate.core.redact.RecordedParameters;
import dev.toolgate.core.redact.Redactor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the audit data of a call, in the same way for its intent and its end: secrets masked, arguments digested, size
 * bounded.
 */
final class CallRecorder {
    private static final int TOOL_NAME_BYTES = 200;

    private final Redactor redactor;
    private final @Nullable KeyedDigest digest;

    /**
     * @param digest {@code null} for no digests
     */
    CallRecorder(Redactor redactor, @Nullable KeyedDigest digest) {
        this.redactor = redactor;
        this.digest = digest;
    }

    /** The intent of a call whose tool is about to start. */
    AuditLog.Intent intent(CallProgress progress, Instant at) {
        return record(progress, RecordedParameters.Limit.OF_PERMITTED, at);
    }

    /** The data of a call that has ended. */
    AuditLog.Intent ended(CallProgress progress) {
        return record(
                progress,
                progress.hasStarted() ? RecordedParameters.Limit.OF_PERMITTED : RecordedParameters.Limit.OF_REFUSED,
                progress.startedAt());
    }

    private AuditLog.Intent record(CallProgress progress, RecordedParameters.Limit limit, Instant at) {
        Call call = progress.call();
        Masked<ObjectNode> parameters = new RecordedParameters(redactor(call), digest).of(call.arguments(), limit);
        return new AuditLog.Intent(
                AuditLog.Kind.CALL,
                call.requestId(),
                call.caller(),
                call.context(),
                call.project(),
                HeadTail.fit(text(call, progress.toolName()), TOOL_NAME_BYTES),
                text(call, call.operation()),
                parameters.value(),
                digest == null ? null : digest.of(call.arguments()),
                (int) Math.min(parameters.characters(), Integer.MAX_VALUE),
                at);
    }

    /** Who has approved or denied the call. */
    AuditLog.Approval approval(CallProgress progress) {
        Approvals.Answer answer = progress.approval();
        if (answer == null) {
            return AuditLog.Approval.NONE;
        }
        boolean answered = answer.by() != null;
        return new AuditLog.Approval(
                answer.by(),
                answered ? answer.at() : null,
                answer.reason() == null ? null : text(progress.call(), answer.reason()),
                answered ? progress.approvalRuleId() : null);
    }

    /** A text of the call, masked for the record. */
    String text(Call call, String text) {
        return redactor(call).record(text).value();
    }

    private Redactor redactor(Call call) {
        return redactor.of(call.caller().tenant());
    }
}
