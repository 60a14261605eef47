package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.record.CleanText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** A filter as SQL. Only what is asked for is in it, so that each question finds its index. */
final class AuditConditions {
    private static final String TEXTS =
            "(parameters::text ILIKE :text OR denial_reason ILIKE :text" + " OR result_summary ILIKE :text)";

    private final StringBuilder sql = new StringBuilder("tenant_id = :tenant");
    private final Map<String, Object> values = new LinkedHashMap<>();

    AuditConditions(AuditFilter filter, AuditReading reading, @Nullable AuditPosition after) {
        values.put("tenant", filter.tenant().value());
        and("agent_id = :agent", "agent", filter.agentId());
        and("project_id = :project", "project", filter.projectId());
        and("tool_name = :tool", "tool", filter.toolName());
        and("request_id = :request", "request", filter.requestId());
        and(
                "status = :status",
                "status",
                filter.status() == null ? null : filter.status().name());
        and("kind = :kind", "kind", filter.kind() == null ? null : filter.kind().wireName());
        and("correlation_id = :correlation", "correlation", filter.correlationId());
        and("conversation_id = :conversation", "conversation", filter.conversationId());
        and(TEXTS, "text", pattern(filter.text()));
        and("timestamp >= :from", "from", filter.from());
        and("timestamp < :until", "until", filter.until());
        if (filter.allowed() != null) {
            sql.append(filter.allowed() ? " AND allowed" : " AND NOT allowed");
        }
        if (reading.scope() == AuditReading.Scope.KNOWN_AGENTS) {
            sql.append(" AND kind = 'call' AND agent_id IN (SELECT agent_id FROM agents WHERE tenant_id = :tenant)");
        }
        if (after != null) {
            and("(timestamp, id) " + reading.order().comparison() + " (:after, :afterId)", "after", after.timestamp());
            values.put("afterId", after.id());
        }
    }

    String sql() {
        return sql.toString();
    }

    Query bind(Query query) {
        return query.bindMap(values);
    }

    private void and(String condition, String name, @Nullable Object value) {
        if (value != null) {
            sql.append(" AND ").append(condition);
            values.put(name, value);
        }
    }

    private static @Nullable String pattern(@Nullable String text) {
        return text == null
                ? null
                : "%"
                        + CleanText.clean(text)
                                .replace("\\", "\\\\")
                                .replace("%", "\\%")
                                .replace("_", "\\_") + "%";
    }
}
