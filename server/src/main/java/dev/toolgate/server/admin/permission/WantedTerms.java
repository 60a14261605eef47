package dev.toolgate.server.admin.permission;

import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.server.door.Expiry;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.Terms;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The terms of a permission as a request gives them. */
public record WantedTerms(
        @Nullable Boolean requiresApproval,
        @Nullable String condition,
        @Nullable Examples conditionExamples,
        @Nullable Instant expiresAt,
        @Nullable Integer maxUses,
        @Nullable String notes) {

    /** Example calls that the condition must match, and calls that it must not match. */
    public record Examples(
            @Nullable List<ObjectNode> matches, @Nullable List<ObjectNode> doesNotMatch) {

        ConditionExamples asStored() {
            return new ConditionExamples(
                    matches == null ? List.of() : matches, doesNotMatch == null ? List.of() : doesNotMatch);
        }
    }

    Edit.Setting allow(Instant now) {
        if (conditionExamples != null && condition == null) {
            throw new BadRequest("Field 'condition_examples' needs a 'condition'; add one, or leave the examples out.");
        }
        Terms terms = new Terms(
                Boolean.TRUE.equals(requiresApproval) ? Approval.REQUIRED : Approval.NOT_NEEDED,
                Expiry.at(expiresAt, now),
                condition,
                conditionExamples == null ? ConditionExamples.NONE : conditionExamples.asStored(),
                maxUses,
                notes);
        return FailureMapping.unknownAsConflict(() -> new Edit.Allow(terms));
    }

    Edit.Setting refuse() {
        if (requiresApproval != null
                || condition != null
                || conditionExamples != null
                || expiresAt != null
                || maxUses != null) {
            throw new BadRequest("A refusal takes no terms; send only 'notes' and 'reason' with 'allowed': false.");
        }
        return FailureMapping.unknownAsConflict(() -> new Edit.Refuse(notes));
    }
}
