package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditedChange;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.gate.Callers;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records uploads, deletions and reads by others in the audit log like tool calls: the intent before anything changes,
 * the outcome before the response.
 */
final class ArtifactRecords {
    private static final String TOOL = "artifacts";

    private final AuditedChanges changes;

    ArtifactRecords(AuditedChanges changes) {
        this.changes = changes;
    }

    /** The recorded facts of an artifact, without its content. */
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

    /** The result summary of the record. */
    static String summary(StoredArtifact artifact) {
        return "OK, " + artifact.size() + " bytes";
    }

    /** Records the intent of a change. */
    AuditedChange begin(Exchange exchange, WorkspaceId workspace, String operation, ObjectNode parameters) {
        return changes.begin(caller(exchange, workspace), context(exchange), subject(operation, parameters));
    }

    /** Starts a record without an intent, for requests that change nothing. */
    AuditedChange withoutIntent(Exchange exchange, WorkspaceId workspace, String operation, ObjectNode parameters) {
        return withoutIntent(exchange.principal(), context(exchange), workspace, operation, parameters);
    }

    /** The same, for requests that did not come through these routes. */
    AuditedChange withoutIntent(
            Principal principal, CallContext context, WorkspaceId workspace, String operation, ObjectNode parameters) {
        return changes.beginWithoutIntent(
                Callers.of(principal, null, null, workspace), context, subject(operation, parameters));
    }

    private static Caller caller(Exchange exchange, WorkspaceId workspace) {
        return Callers.of(exchange.principal(), null, null, workspace);
    }

    static CallContext context(Exchange exchange) {
        return CallContext.NONE.correlatedBy(exchange.correlationId());
    }

    private static AuditedChanges.Subject subject(String operation, ObjectNode parameters) {
        return new AuditedChanges.Subject(AuditLog.Kind.CALL, TOOL, operation, parameters);
    }
}
