package dev.toolgate.server.admin.review;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proposed changes that would remove unused permissions.
 *
 * @param since the time from which calls were examined
 * @param leftOut whether there are more proposals of some kind than are shown
 * @param exclusions {@code not_looked_at} in the published API: what could not be examined; {@code null} if everything was
 */
record ProposalAnswer(
        int days,
        Instant since,
        List<Proposal> proposals,
        boolean leftOut,
        @JsonProperty("not_looked_at") @Nullable String exclusions) {
    /**
     * A proposal.
     *
     * @param change as a simulation and a bulk change take it
     * @param calls how many recorded calls it is derived from; none for a grant that was not used
     */
    record Proposal(String kind, String why, int calls, ProposedChange change) {}

    /** A change in the form of a bulk change; what does not apply is null. */
    record ProposedChange(
            @Nullable String agentId,
            @Nullable String groupId,
            String toolName,
            @Nullable Boolean allowed,
            @Nullable Boolean clear,
            @Nullable Boolean requiresApproval,
            @Nullable String condition,
            @Nullable Instant expiresAt,
            @Nullable Integer maxUses,
            @Nullable String notes) {
        static ProposedChange clear(@Nullable String agentId, @Nullable String groupId, String toolName) {
            return new ProposedChange(agentId, groupId, toolName, null, true, null, null, null, null, null);
        }
    }
}
