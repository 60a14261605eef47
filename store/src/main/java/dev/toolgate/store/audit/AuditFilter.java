package dev.toolgate.store.audit;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.AuditLog;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which records are wanted; whatever is absent does not restrict.
 *
 * @param text found anywhere in parameters, denial reason or result summary, in any case
 * @param from the earliest time, included
 * @param until the time from which on records are left out
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
        @Nullable Instant until) {

    /** Everything of a tenant. */
    public static AuditFilter of(TenantId tenant) {
        return new AuditFilter(tenant, null, null, null, null, null, null, null, null, null);
    }

    public AuditFilter agent(@Nullable String agent) {
        return new AuditFilter(tenant, agent, projectId, toolName, requestId, allowed, status, text, from, until);
    }

    public AuditFilter project(@Nullable String project) {
        return new AuditFilter(tenant, agentId, project, toolName, requestId, allowed, status, text, from, until);
    }

    public AuditFilter tool(@Nullable String tool) {
        return new AuditFilter(tenant, agentId, projectId, tool, requestId, allowed, status, text, from, until);
    }

    public AuditFilter request(@Nullable String request) {
        return new AuditFilter(tenant, agentId, projectId, toolName, request, allowed, status, text, from, until);
    }

    public AuditFilter allowed(@Nullable Boolean wanted) {
        return new AuditFilter(tenant, agentId, projectId, toolName, requestId, wanted, status, text, from, until);
    }

    public AuditFilter status(AuditLog.@Nullable Status wanted) {
        return new AuditFilter(tenant, agentId, projectId, toolName, requestId, allowed, wanted, text, from, until);
    }

    public AuditFilter text(@Nullable String wanted) {
        return new AuditFilter(tenant, agentId, projectId, toolName, requestId, allowed, status, wanted, from, until);
    }

    public AuditFilter between(@Nullable Instant start, @Nullable Instant end) {
        return new AuditFilter(tenant, agentId, projectId, toolName, requestId, allowed, status, text, start, end);
    }

    /** Whether a record is wanted; finds the same as a query does. */
    boolean matches(AuditRecord record) {
        CallFacts call = record.call();
        return tenant.value().equals(call.tenantId())
                && isOrAny(agentId, call.agentId())
                && isOrAny(projectId, call.projectId())
                && isOrAny(toolName, call.toolName())
                && isOrAny(requestId, call.requestId())
                && isOrAny(allowed, call.allowed())
                && isOrAny(status, call.status())
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
