package dev.toolgate.server.admin.permission;

import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.store.grant.Edit;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The new permission of one holder for one tool; replaces the current one.
 *
 * @param allowed false is an explicit denial, which overrides grants of groups
 */
record WantedPermission(
        boolean allowed,
        @Nullable Boolean requiresApproval,
        @Nullable String condition,
        WantedTerms.@Nullable Examples conditionExamples,
        @Nullable Instant expiresAt,
        @Nullable Integer maxUses,
        @Nullable String notes,
        @Nullable String reason) {

    Edit.Setting setting(Instant now) {
        WantedTerms terms = new WantedTerms(requiresApproval, condition, conditionExamples, expiresAt, maxUses, notes);
        return allowed ? terms.allow(now) : terms.refuse();
    }

    /** A warning if no tool of this name exists. */
    Optional<String> warning(ToolNameFields tools, String tool) {
        return allowed ? tools.warning(tool) : Optional.empty();
    }
}
