package dev.toolgate.store.audit.query;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.CallFacts;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Selects records; absent criteria do not restrict.
 *
 * @param text searched in parameters, denial reason and result summary, ignoring case
 * @param from the earliest time, inclusive
 * @param until the latest time, exclusive
 */
public record AuditFilter(
        TenantId tenant,
        @Nullable String agentId,
        @Nullable String projectId,
        @Nullable String toolName,
        @Nullable String requestId,
        @Nullable Boolean allowed,
        AuditLog.@Nullable Status status,
        @Nullable String text,
        @Nullable Instant from,
        @Nullable Instant until,
        AuditLog.@Nullable Kind kind,
        @Nullable String correlationId,
        @Nullable String conversationId,
        @Nullable String sessionId,
        @Nullable String errorCode,
        @Nullable String principal) {

    /** All records of a tenant. */
    public static AuditFilter of(TenantId tenant) {
        return new AuditFilter(
                tenant, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    public AuditFilter agent(@Nullable String wanted) {
        return with(draft -> draft.agentId = wanted);
    }

    public AuditFilter project(@Nullable String wanted) {
        return with(draft -> draft.projectId = wanted);
    }

    public AuditFilter tool(@Nullable String wanted) {
        return with(draft -> draft.toolName = wanted);
    }

    public AuditFilter request(@Nullable String wanted) {
        return with(draft -> draft.requestId = wanted);
    }

    public AuditFilter allowed(@Nullable Boolean wanted) {
        return with(draft -> draft.allowed = wanted);
    }

    public AuditFilter status(AuditLog.@Nullable Status wanted) {
        return with(draft -> draft.status = wanted);
    }

    public AuditFilter text(@Nullable String wanted) {
        return with(draft -> draft.text = wanted);
    }

    public AuditFilter between(@Nullable Instant start, @Nullable Instant end) {
        return with(draft -> {
            draft.from = start;
            draft.until = end;
        });
    }

    public AuditFilter kind(AuditLog.@Nullable Kind wanted) {
        return with(draft -> draft.kind = wanted);
    }

    public AuditFilter correlation(@Nullable String wanted) {
        return with(draft -> draft.correlationId = wanted);
    }

    public AuditFilter conversation(@Nullable String wanted) {
        return with(draft -> draft.conversationId = wanted);
    }

    public AuditFilter session(@Nullable String wanted) {
        return with(draft -> draft.sessionId = wanted);
    }

    public AuditFilter error(@Nullable String wanted) {
        return with(draft -> draft.errorCode = wanted);
    }

    public AuditFilter principal(@Nullable String wanted) {
        return with(draft -> draft.principal = wanted);
    }

    private AuditFilter with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.filter(tenant);
    }

    /** A mutable copy, so that no method can forget to copy a component. */
    private static final class Draft {
        private @Nullable String agentId;
        private @Nullable String projectId;
        private @Nullable String toolName;
        private @Nullable String requestId;
        private @Nullable Boolean allowed;
        private AuditLog.@Nullable Status status;
        private @Nullable String text;
        private @Nullable Instant from;
        private @Nullable Instant until;
        private AuditLog.@Nullable Kind kind;
        private @Nullable String correlationId;
        private @Nullable String conversationId;
        private @Nullable String sessionId;
        private @Nullable String errorCode;
        private @Nullable String principal;

        Draft(AuditFilter filter) {
            agentId = filter.agentId;
            projectId = filter.projectId;
            toolName = filter.toolName;
            requestId = filter.requestId;
            allowed = filter.allowed;
            status = filter.status;
            text = filter.text;
            from = filter.from;
            until = filter.until;
            kind = filter.kind;
            correlationId = filter.correlationId;
            conversationId = filter.conversationId;
            sessionId = filter.sessionId;
            errorCode = filter.errorCode;
            principal = filter.principal;
        }

        AuditFilter filter(TenantId tenant) {
            return new AuditFilter(
                    tenant,
                    agentId,
                    projectId,
                    toolName,
                    requestId,
                    allowed,
                    status,
                    text,
                    from,
                    until,
                    kind,
                    correlationId,
                    conversationId,
                    sessionId,
                    errorCode,
                    principal);
        }
    }

    /** Whether a record matches; equivalent to the SQL of {@link AuditConditions}. */
    boolean matches(AuditRecord record) {
        CallFacts call = record.call();
        return tenant.value().equals(call.tenantId())
                && isOrAny(agentId, call.agentId())
                && isOrAny(projectId, call.projectId())
                && isOrAny(toolName, call.toolName())
                && isOrAny(requestId, call.requestId())
                && isOrAny(allowed, call.allowed())
                && isOrAny(status, call.status())
                && isOrAny(kind, call.kind())
                && isOrAny(correlationId, call.correlationId())
                && isOrAny(conversationId, call.conversationId())
                && isOrAny(sessionId, call.sessionId())
                && isOrAny(errorCode, call.errorCode())
                && isOrAny(principal, call.principal())
                && (from == null || !call.timestamp().isBefore(from))
                && (until == null || call.timestamp().isBefore(until))
                && (text == null
                        || contains(call.parameters(), text)
                        || contains(call.denialReason(), text)
                        || contains(call.resultSummary(), text));
    }

    private static <T> boolean isOrAny(@Nullable T wanted, @Nullable T is) {
        return wanted == null || wanted.equals(is);
    }

    private static boolean contains(@Nullable String all, String part) {
        return all != null && all.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
