package dev.toolgate.core.audit;

import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.redact.Masked;
import dev.toolgate.core.redact.RecordedParameters;
import dev.toolgate.core.redact.Redactor;
import java.time.InstantSource;
import tools.jackson.databind.node.ObjectNode;

/** Records changes that are not tool calls: the intent before, the result after. */
public final class AuditedChanges {
    private final AuditLog log;
    private final Redactor redactor;
    private final InstantSource clock;

    public AuditedChanges(AuditLog log, Redactor redactor, InstantSource clock) {
        this.log = log;
        this.redactor = redactor;
        this.clock = clock;
    }

    /**
     * What is to change.
     *
     * @param what the kind of thing, for example {@code keys}
     * @param operation what is done to it, for example {@code create}
     * @param facts which one, and what is known about it
     */
    public record Subject(AuditLog.Kind kind, String what, String operation, ObjectNode facts) {}

    /** Records the intent; returns once it is durable, so that no change goes unrecorded. */
    public AuditedChange begin(Caller caller, CallContext context, Subject subject) {
        AuditLog.Intent intent = intent(caller, context, subject);
        log.intend(intent);
        return new AuditedChange(log, redactor.of(caller.tenant()), intent);
    }

    /** Starts a record without an intent, for a request that is going to be refused. */
    public AuditedChange beginWithoutIntent(Caller caller, CallContext context, Subject subject) {
        return new AuditedChange(log, redactor.of(caller.tenant()), intent(caller, context, subject));
    }

    private AuditLog.Intent intent(Caller caller, CallContext context, Subject subject) {
        Masked<ObjectNode> facts = new RecordedParameters(redactor.of(caller.tenant()), null)
                .of(subject.facts(), RecordedParameters.Limit.OF_PERMITTED);
        return new AuditLog.Intent(
                subject.kind(),
                RequestId.generated(),
                caller,
                context,
                null,
                subject.what(),
                subject.operation(),
                facts.value(),
                null,
                Math.toIntExact(facts.characters()),
                clock.instant());
    }
}
