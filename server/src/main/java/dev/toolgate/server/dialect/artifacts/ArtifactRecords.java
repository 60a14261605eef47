package dev.toolgate.server.dialect.artifacts;

import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.port.AuditLog;
import dev.toolgate.core.redact.Masked;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.identity.Principal;
import java.time.Clock;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts uploads and deletions over HTTP on record, as calls of tools are: that one begins, before anything changes, and
 * what became of it, before anybody is told.
 */
final class ArtifactRecords {
    private static final String TOOL = "artifacts";
    private static final int LONGEST_AGENT = 100;

    private final AuditLog log;
    private final Redactor redactor;
    private final Clock clock;

    ArtifactRecords(AuditLog log, Redactor redactor, Clock clock) {
        this.log = log;
        this.redactor = redactor;
        this.clock = clock;
    }

    /** What is on record of an artifact; never its bytes. */
    static ObjectNode facts(StoredArtifact artifact) {
        ObjectNode facts = Json.MAPPER.createObjectNode();
        facts.put("artifact_id", artifact.uri().id());
        facts.put("agent_id", artifact.agent() == null ? null : artifact.agent().value());
        facts.put("kind", artifact.kind());
        facts.put("media_type", artifact.mediaType());
        facts.put("name", artifact.name());
        facts.put("size", artifact.size());
        facts.put("sha256", artifact.sha256());
        return facts;
    }

    /** Something is about to change. */
    RecordedChange begin(Principal principal, WorkspaceId workspace, String operation, ObjectNode parameters) {
        RecordedChange change = unannounced(principal, workspace, operation, parameters);
        log.intend(change.intent());
        return change;
    }

    /** Something was asked for that will not be done, so that there is only its end to record. */
    RecordedChange unannounced(Principal principal, WorkspaceId workspace, String operation, ObjectNode parameters) {
        Redactor own = redactor.of(principal.tenant());
        Masked<ObjectNode> masked = own.record(parameters);
        AuditLog.Intent intent = new AuditLog.Intent(
                AuditLog.Kind.CALL,
                new RequestId(UUID.randomUUID().toString()),
                new Caller(principal.tenant(), agent(principal), null, workspace, principal.name()),
                CallContext.NONE,
                null,
                TOOL,
                operation,
                masked.value(),
                null,
                Math.toIntExact(masked.characters()),
                clock.instant());
        return new RecordedChange(log, own, intent);
    }

    // People have no agent; the record needs somebody, and who they are is better than nobody.
    private static AgentId agent(Principal principal) {
        String name = principal.name();
        return principal.agent() == null
                ? new AgentId(name.length() <= LONGEST_AGENT ? name : name.substring(0, LONGEST_AGENT))
                : principal.agent();
    }
}
