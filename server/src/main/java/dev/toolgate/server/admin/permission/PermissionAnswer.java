package dev.toolgate.server.admin.permission;

import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.store.grant.Permission;
import dev.toolgate.store.grant.Terms;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One cell of the permission matrix.
 *
 * @param state its current state: {@code allowed}, {@code refused}, {@code expired} or {@code used_up}
 */
public record PermissionAnswer(
        boolean allowed,
        String state,
        boolean requiresApproval,
        @Nullable String condition,
        @Nullable ConditionExamples conditionExamples,
        @Nullable Instant expiresAt,
        @Nullable Integer maxUses,
        int uses,
        @Nullable String notes,
        @Nullable String updatedBy,
        Instant updatedAt) {

    public static PermissionAnswer of(Permission permission, Instant now) {
        Terms terms = permission.terms();
        return new PermissionAnswer(
                permission.allowed(),
                word(permission.state(now)),
                terms.approval() == Approval.REQUIRED,
                terms.condition(),
                terms.examples().isEmpty() ? null : terms.examples(),
                terms.expiresAt(),
                terms.maxUses(),
                permission.uses(),
                terms.notes(),
                permission.updatedBy(),
                permission.updatedAt());
    }

    static String word(Permission.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
