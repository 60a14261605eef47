package dev.toolgate.store.audit;

import dev.toolgate.core.call.TenantId;
import java.time.Instant;
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
        @Nullable String text,
        @Nullable Instant from,
        @Nullable Instant until) {

    /** Everything of a tenant. */
    public static AuditFilter of(TenantId tenant) {
        return new AuditFilter(tenant, null, null, null, null, null, null, null, null);
    }

    public AuditFilter agent(@Nullable String agent) {
        return new AuditFilter(tenant, agent, projectId, toolName, requestId, allowed, text, from, until);
    }

    public AuditFilter project(@Nullable String project) {
        return new AuditFilter(tenant, agentId, project, toolName, requestId, allowed, text, from, until);
    }

    public AuditFilter tool(@Nullable String tool) {
        return new AuditFilter(tenant, agentId, projectId, tool, requestId, allowed, text, from, until);
    }

    public AuditFilter request(@Nullable String request) {
        return new AuditFilter(tenant, agentId, projectId, toolName, request, allowed, text, from, until);
    }

    public AuditFilter allowed(@Nullable Boolean wanted) {
        return new AuditFilter(tenant, agentId, projectId, toolName, requestId, wanted, text, from, until);
    }

    public AuditFilter text(@Nullable String wanted) {
        return new AuditFilter(tenant, agentId, projectId, toolName, requestId, allowed, wanted, from, until);
    }

    public AuditFilter between(@Nullable Instant start, @Nullable Instant end) {
        return new AuditFilter(tenant, agentId, projectId, toolName, requestId, allowed, text, start, end);
    }
}
