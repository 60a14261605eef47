package dev.toolgate.core.audit;

import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.redact.Masked;
import dev.toolgate.core.redact.RecordedParameters;
import dev.toolgate.core.redact.Redactor;
import java.time.InstantSource;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** The one way on record for what is no call of a tool: that a change begins, and what became of it. */
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
     * @param facts which one, and what is known of it before
     */
    public record Subject(AuditLog.Kind kind, String what, String operation, ObjectNode facts) {}

    /** Something is about to change; returns once that is durable, so that no change is without a trace. */
    public AuditedChange begin(Caller caller, CallContext context, Subject subject) {
        AuditLog.Intent intent = intent(caller, context, subject);
        log.intend(intent);
        return new AuditedChange(log, redactor.of(caller.tenant()), intent);
    }

    /** Something was asked for that will not be done, so that there is only its end to record. */
    public AuditedChange unannounced(Caller caller, CallContext context, Subject subject) {
        return new AuditedChange(log, redactor.of(caller.tenant()), intent(caller, context, subject));
    }

    private AuditLog.Intent intent(Caller caller, CallContext context, Subject subject) {
        Masked<ObjectNode> facts = new RecordedParameters(redactor.of(caller.tenant()), null)
                .of(subject.facts(), RecordedParameters.Limit.OF_PERMITTED);
        return new AuditLog.Intent(
                subject.kind(),
                new RequestId(UUID.randomUUID().toString()),
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
