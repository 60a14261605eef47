package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.StandingApproval;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads rows of {@link ApprovalRepository}. */
final class ApprovalRows {
    private ApprovalRows() {}

    static ApprovalRequest request(ResultSet row) throws SQLException {
        String session = row.getString("session_id");
        String scope = row.getString("scope");
        return new ApprovalRequest(
                row.getObject("approval_id", UUID.class),
                new RequestId(row.getString("request_id")),
                new Caller(
                        new TenantId(row.getString("tenant_id")),
                        new AgentId(row.getString("agent_id")),
                        session == null ? null : new SessionId(session),
                        new WorkspaceId(row.getString("workspace_id")),
                        row.getString("principal")),
                row.getString("tool_name"),
                row.getString("operation"),
                row.getString("project_id"),
                (ObjectNode) Json.MAPPER.readTree(row.getString("arguments")),
                row.getLong("masked_characters"),
                row.getString("reason"),
                row.getString("approval_rule_id"),
                row.getString("preview"),
                Timestamps.read(row, "asked_at"),
                Timestamps.read(row, "expires_at"),
                answer(row),
                scope == null ? null : ApprovalDesk.Scope.valueOf(scope.toUpperCase(Locale.ROOT)),
                causes(row),
                new ApprovalTerms(
                        row.getBoolean("caller_may_approve")
                                ? ApprovalTerms.Approver.ANYBODY
                                : ApprovalTerms.Approver.NOT_THE_CALLER,
                        row.getInt("approvers_needed")),
                yeses(row.getString("yeses")));
    }

    /** The stored form of the reasons for an approval request. */
    static String json(List<Decision.Cause> causes) {
        ArrayNode stored = Json.MAPPER.createArrayNode();
        for (Decision.Cause cause : causes) {
            stored.addObject()
                    .put("reason", storable(cause.reason()))
                    .put(
                            "approval_rule_id",
                            storable(cause.approvalRuleId())); // also if null, so that jsonb containment compares it
        }
        return stored.toString();
    }

    static List<Decision.Cause> causes(ResultSet row) throws SQLException {
        List<Decision.Cause> causes = new ArrayList<>();
        for (JsonNode cause : Json.MAPPER.readTree(row.getString("causes"))) {
            causes.add(new Decision.Cause(cause.path("reason").asString(), text(cause.path("approval_rule_id"))));
        }
        return List.copyOf(causes);
    }

    private static List<ApprovalRequest.Yes> yeses(@Nullable String json) {
        List<ApprovalRequest.Yes> yeses = new ArrayList<>();
        if (json != null) {
            for (JsonNode yes : Json.MAPPER.readTree(json)) {
                yeses.add(new ApprovalRequest.Yes(
                        yes.path("by").asString(),
                        text(yes.path("reason")),
                        OffsetDateTime.parse(yes.path("at").asString()).toInstant()));
            }
        }
        return List.copyOf(yeses);
    }

    private static @Nullable String text(JsonNode value) {
        return value.isString() ? value.stringValue() : null;
    }

    static Approvals.@Nullable Answer answer(ResultSet row) throws SQLException {
        String verdict = row.getString("verdict");
        return verdict == null
                ? null
                : new Approvals.Answer(
                        Approvals.Verdict.valueOf(verdict),
                        row.getString("answered_by"),
                        row.getString("answer_reason"),
                        Timestamps.read(row, "answered_at"));
    }

    /** The answer of a request that must have one. */
    static Approvals.Answer given(Approvals.@Nullable Answer answer) throws SQLException {
        if (answer == null) {
            throw new SQLException("An answered approval request has no verdict.");
        }
        return answer;
    }

    static StandingApproval standing(ResultSet row) throws SQLException {
        String session = row.getString("session_id");
        return new StandingApproval(
                row.getObject("standing_id", UUID.class),
                new AgentId(row.getString("agent_id")),
                row.getString("tool_name"),
                session == null ? null : new SessionId(session),
                row.getString("granted_by"),
                row.getString("reason"),
                Timestamps.read(row, "created_at"),
                Timestamps.readNullable(row, "expires_at"),
                causes(row),
                List.of((String[]) row.getArray("granters").getArray()));
    }

    static CallLookup.FoundCall collected(ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        String approved = row.getString("approved_call");
        return new CallLookup.FoundCall(
                new AgentId(row.getString("agent_id")),
                row.getString("tool_name"),
                Set.of((String[]) row.getArray("tools").getArray()),
                state(row, outcome),
                row.getObject("approval_id", UUID.class),
                Timestamps.readNullable(row, "expires_at"),
                outcome == null ? null : OutcomeJson.read(outcome),
                Timestamps.readNullable(row, "permit_until"),
                approved == null ? null : CallJson.read(approved));
    }

    private static CallLookup.State state(ResultSet row, @Nullable String outcome) throws SQLException {
        if (row.getObject("permit_until") != null) {
            return CallLookup.State.PERMITTED;
        }
        if (row.getString("approved_call") != null) {
            return CallLookup.State.APPROVED;
        }
        if (row.getBoolean("completed")) {
            return outcome == null ? CallLookup.State.FORGOTTEN : CallLookup.State.ENDED;
        }
        return row.getBoolean("pending") ? CallLookup.State.HELD : CallLookup.State.RUNNING;
    }

    /** The text without NUL, which PostgreSQL cannot store. */
    static @Nullable String storable(@Nullable String text) {
        return text == null ? null : text.replace('\0', '\uFFFD');
    }
}
