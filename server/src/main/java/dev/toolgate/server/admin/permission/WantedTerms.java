package dev.toolgate.server.admin.permission;

import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.server.door.Expiry;
import dev.toolgate.server.door.Refusals;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.Terms;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The terms of a permission as a request gives them. */
record WantedTerms(
        @Nullable Boolean requiresApproval,
        @Nullable String condition,
        @Nullable Examples conditionExamples,
        @Nullable Instant expiresAt,
        @Nullable Integer maxUses,
        @Nullable String notes) {

    /** Calls of which the condition must be true, and calls of which it must not. */
    record Examples(
            @Nullable List<ObjectNode> matches, @Nullable List<ObjectNode> doesNotMatch) {

        ConditionExamples asStored() {
            return new ConditionExamples(
                    matches == null ? List.of() : matches, doesNotMatch == null ? List.of() : doesNotMatch);
        }
    }

    Edit.Setting allow(Instant now) {
        if (conditionExamples != null && condition == null) {
            throw new BadRequest("Examples belong to a condition, and there is none.");
        }
        Terms terms = new Terms(
                Boolean.TRUE.equals(requiresApproval) ? Approval.REQUIRED : Approval.NOT_NEEDED,
                Expiry.at(expiresAt, now),
                condition,
                conditionExamples == null ? ConditionExamples.NONE : conditionExamples.asStored(),
                maxUses,
                notes);
        return Refusals.ofBody(() -> new Edit.Allow(terms));
    }

    Edit.Setting refuse() {
        if (requiresApproval != null
                || condition != null
                || conditionExamples != null
                || expiresAt != null
                || maxUses != null) {
            throw new BadRequest("A refusal holds without terms: of these only 'notes' and 'reason' go with it.");
        }
        return Refusals.ofBody(() -> new Edit.Refuse(notes));
    }
}
