package dev.toolgate.store.audit.query;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.record.CleanText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Translates a filter to SQL. Contains only the conditions that are set, so that each query can use an index. */
public final class AuditConditions {
    /** What was not allowed; in the form that the index on statuses answers. */
    private static final String REFUSED = " AND status <> 'COMPLETED' AND status = 'REFUSED'";

    private static final String TEXTS =
            "(parameters::text ILIKE :text OR denial_reason ILIKE :text" + " OR result_summary ILIKE :text)";

    private final StringBuilder sql = new StringBuilder("tenant_id = :tenant");
    private final StringBuilder range = new StringBuilder("tenant_id = :tenant");
    private final String scanned;
    private final Map<String, Object> values = new LinkedHashMap<>();

    public AuditConditions(AuditFilter filter, AuditReadOptions reading, @Nullable AuditPosition after) {
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
        and("session_id = :session", "session", filter.sessionId());
        and("error_code = :error", "error", filter.errorCode());
        and("principal = :principal", "principal", filter.principal());
        and(TEXTS, "text", pattern(filter.text()));
        and("timestamp >= :from", "from", filter.from());
        and("timestamp < :until", "until", filter.until());
        if (filter.allowed() != null) {
            sql.append(filter.allowed() ? " AND allowed" : REFUSED);
        }
        if (reading.scope() == AuditReadOptions.Scope.KNOWN_AGENTS) {
            sql.append(" AND kind = 'call' AND agent_id IN (SELECT agent_id FROM agents WHERE tenant_id = :tenant)");
        }
        if (after != null) {
            String place = "(timestamp, id) " + reading.order().comparison() + " (:after, :afterId)";
            and(place, "after", after.timestamp());
            values.put("afterId", after.id());
            range.append(" AND ").append(place);
        }
        range.append(filter.from() == null ? "" : " AND timestamp >= :from")
                .append(filter.until() == null ? "" : " AND timestamp < :until");
        scanned = range + indexed(filter);
    }

    /** The most selective condition that is set and has an index in the order of pages. */
    private static String indexed(AuditFilter filter) {
        if (filter.requestId() != null) {
            return " AND request_id = :request";
        } else if (filter.correlationId() != null) {
            return " AND correlation_id = :correlation";
        } else if (filter.sessionId() != null) {
            return " AND session_id = :session";
        } else if (filter.conversationId() != null) {
            return " AND conversation_id = :conversation";
        } else if (filter.errorCode() != null) {
            return " AND error_code = :error";
        } else if (filter.status() != null && filter.status() != AuditLog.Status.COMPLETED) {
            return " AND status <> 'COMPLETED' AND status = :status";
        } else if (Boolean.FALSE.equals(filter.allowed())) {
            return REFUSED;
        } else if (filter.kind() == AuditLog.Kind.ADMINISTRATION) {
            return " AND kind = 'administration'";
        } else if (filter.agentId() != null) {
            return " AND agent_id = :agent";
        } else if (filter.projectId() != null) {
            return " AND project_id = :project";
        }
        return filter.toolName() == null ? "" : " AND tool_name = :tool";
    }

    /** All conditions, for a WHERE clause. */
    public String sql() {
        return sql.toString();
    }

    /**
     * Conditions that an index answers in the order of pages. Records that meet them are read in bounded numbers, and
     * the
     * rest of the conditions applied to those, so that no combination of filters makes a page slow.
     */
    public String scanned() {
        return scanned;
    }

    /** Binds the values of all conditions. */
    public Query bind(Query query) {
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
