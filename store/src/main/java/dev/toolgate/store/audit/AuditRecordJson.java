package dev.toolgate.store.audit;

import dev.toolgate.core.port.AuditLog;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The one JSON form of a record, wherever it is shown, streamed, exported or archived. */
public final class AuditRecordJson {
    private AuditRecordJson() {}

    public static ObjectNode write(AuditRecord record) {
        CallFacts call = record.call();
        ChainLink link = record.link();
        ObjectNode node = CanonicalJson.EXACT.createObjectNode();
        node.put("id", record.id());
        node.put("request_id", call.requestId());
        node.put("timestamp", call.timestamp().toString());
        node.put("agent_id", call.agentId());
        node.put("project_id", call.projectId());
        node.put("tool_name", call.toolName());
        node.put("operation", call.operation());
        node.set("parameters", CanonicalJson.EXACT.readTree(call.parameters()));
        node.put("allowed", call.allowed());
        node.put("denial_reason", call.denialReason());
        node.put("execution_time_ms", call.executionTimeMs());
        node.put("result_summary", call.resultSummary());
        node.put("session_id", call.sessionId());
        node.put("status", call.status().name());
        node.put("error_code", call.errorCode());
        node.put("approved_by", call.approvedBy());
        node.put(
                "approved_at",
                call.approvedAt() == null ? null : call.approvedAt().toString());
        node.put("approval_reason", call.approvalReason());
        node.put("approval_rule_id", call.approvalRuleId());
        node.put("principal", call.principal());
        node.put("cost", call.cost());
        node.put("tenant_id", call.tenantId());
        node.put("workspace_id", call.workspaceId());
        node.put("instance_id", link.instanceId().toString());
        node.put("sequence", link.sequence());
        node.put("hash", link.hash());
        node.put("previous_hash", link.previousHash());
        return node;
    }

    /** The record of a tree that {@link #write} has made; throws if it is not one. */
    static AuditRecord read(JsonNode node) {
        return new AuditRecord(
                node.required("id").longValue(),
                new CallFacts(
                        node.required("tenant_id").stringValue(),
                        node.required("request_id").stringValue(),
                        Instant.parse(node.required("timestamp").stringValue()),
                        node.required("agent_id").stringValue(),
                        text(node, "session_id"),
                        node.required("workspace_id").stringValue(),
                        text(node, "project_id"),
                        node.required("tool_name").stringValue(),
                        node.required("operation").stringValue(),
                        CanonicalJson.of(node.required("parameters").toString()),
                        node.required("allowed").booleanValue(),
                        AuditLog.Status.valueOf(node.required("status").stringValue()),
                        text(node, "error_code"),
                        text(node, "denial_reason"),
                        text(node, "approved_by"),
                        node.required("execution_time_ms").isNull()
                                ? null
                                : node.required("execution_time_ms").intValue(),
                        text(node, "result_summary"),
                        node.required("cost").isNull()
                                ? null
                                : node.required("cost").decimalValue(),
                        text(node, "principal"),
                        addedLater(node, "approved_at") == null
                                ? null
                                : Instant.parse(String.valueOf(addedLater(node, "approved_at"))),
                        addedLater(node, "approval_reason"),
                        addedLater(node, "approval_rule_id")),
                link(node));
    }

    static ChainLink link(JsonNode node) {
        return new ChainLink(
                UUID.fromString(node.required("instance_id").stringValue()),
                node.required("sequence").longValue(),
                node.required("previous_hash").stringValue(),
                node.required("hash").stringValue());
    }

    // Archives from before do not have it.
    private static @Nullable String addedLater(JsonNode node, String name) {
        return node.has(name) ? text(node, name) : null;
    }

    private static @Nullable String text(JsonNode node, String name) {
        JsonNode value = node.required(name);
        return value.isNull() ? null : value.stringValue();
    }
}
