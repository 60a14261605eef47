package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.port.AuditLog;
import dev.toolgate.core.redact.Redactor;
import java.time.Instant;

/** What goes on record of a call as it was made, the same for its intent and for its end. */
final class RecordedCall {
    private static final int TOOL_NAME_BYTES = 200;

    private RecordedCall() {}

    static AuditLog.Intent of(Passage passage, Redactor redactor, Instant at) {
        Call call = passage.call();
        return new AuditLog.Intent(
                AuditLog.Kind.CALL,
                call.requestId(),
                call.caller(),
                call.context(),
                call.project(),
                HeadTail.fit(redactor.clean(passage.toolName()), TOOL_NAME_BYTES),
                redactor.clean(call.operation()),
                redactor.clean(call.arguments()),
                null,
                null,
                at);
    }
}
