package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditedChange;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.gate.Callers;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts uploads, deletions and reads by others on record, as calls of tools are: that one begins, before anything changes, and
 * what became of it, before anybody is told.
 */
final class ArtifactRecords {
    private static final String TOOL = "artifacts";

    private final AuditedChanges changes;

    ArtifactRecords(AuditedChanges changes) {
        this.changes = changes;
    }

    /** What is on record of an artifact; never its bytes. */
    static ObjectNode facts(StoredArtifact artifact) {
        ObjectNode facts = Json.MAPPER.createObjectNode();
        facts.put("artifact_id", artifact.uri().id());
        facts.put("agent_id", artifact.agent() == null ? null : artifact.agent().value());
        facts.put(
                "session_id",
                artifact.session() == null ? null : artifact.session().value());
        facts.put("kind", artifact.kind());
        facts.put("media_type", artifact.mediaType());
        facts.put("name", artifact.name());
        facts.put("size", artifact.size());
        facts.put("sha256", artifact.sha256());
        return facts;
    }

    /** What the record says of it in short. */
    static String summary(StoredArtifact artifact) {
        return "OK, " + artifact.size() + " bytes";
    }

    /** Something is about to change. */
    AuditedChange begin(Exchange exchange, WorkspaceId workspace, String operation, ObjectNode parameters) {
        return changes.begin(caller(exchange, workspace), context(exchange), subject(operation, parameters));
    }

    /** Something was asked for that will not be done, so that there is only its end to record. */
    AuditedChange unannounced(Exchange exchange, WorkspaceId workspace, String operation, ObjectNode parameters) {
        return changes.unannounced(caller(exchange, workspace), context(exchange), subject(operation, parameters));
    }

    private static Caller caller(Exchange exchange, WorkspaceId workspace) {
        return Callers.of(exchange.principal(), null, null, workspace);
    }

    private static CallContext context(Exchange exchange) {
        return CallContext.NONE.correlatedBy(exchange.correlationId());
    }

    private static AuditedChanges.Subject subject(String operation, ObjectNode parameters) {
        return new AuditedChanges.Subject(AuditLog.Kind.CALL, TOOL, operation, parameters);
    }
}
