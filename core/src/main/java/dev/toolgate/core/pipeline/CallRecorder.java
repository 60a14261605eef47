package dev.toolgate.core.pipeline;

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
 * Makes what goes on record of a call as it was made, the same for its intent and for its end: without secrets, with a digest
 * of its arguments, and not too much.
 */
final class CallRecorder {
    private static final int TOOL_NAME_BYTES = 200;

    private final Redactor redactor;
    private final @Nullable KeyedDigest digest;

    /**
     * @param digest {@code null} where no digests go on record
     */
    CallRecorder(Redactor redactor, @Nullable KeyedDigest digest) {
        this.redactor = redactor;
        this.digest = digest;
    }

    /** A call whose tool is about to start. */
    AuditLog.Intent intent(Passage passage, Instant at) {
        return record(passage, RecordedParameters.Limit.OF_PERMITTED, at);
    }

    /** A call that has ended. */
    AuditLog.Intent ended(Passage passage) {
        return record(
                passage,
                passage.hasStarted() ? RecordedParameters.Limit.OF_PERMITTED : RecordedParameters.Limit.OF_REFUSED,
                passage.startedAt());
    }

    private AuditLog.Intent record(Passage passage, RecordedParameters.Limit limit, Instant at) {
        Call call = passage.call();
        Masked<ObjectNode> parameters = new RecordedParameters(redactor(call), digest).of(call.arguments(), limit);
        return new AuditLog.Intent(
                AuditLog.Kind.CALL,
                call.requestId(),
                call.caller(),
                call.context(),
                call.project(),
                HeadTail.fit(text(call, passage.toolName()), TOOL_NAME_BYTES),
                text(call, call.operation()),
                parameters.value(),
                digest == null ? null : digest.of(call.arguments()),
                (int) Math.min(parameters.characters(), Integer.MAX_VALUE),
                at);
    }

    /** A text of the call as it goes on record. */
    String text(Call call, String text) {
        return redactor(call).record(text).value();
    }

    private Redactor redactor(Call call) {
        return redactor.of(call.caller().tenant());
    }
}
