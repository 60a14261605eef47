package dev.toolgate.server.admin.permission;

import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.store.grant.Edit;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to hold for one holder and one tool from now on, in place of whatever was set before.
 *
 * @param allowed false is an explicit no, which wins over every yes from a group
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

    /** What is odd about allowing this tool. */
    Optional<String> warning(ToolNameFields tools, String tool) {
        return allowed ? tools.warning(tool) : Optional.empty();
    }
}
