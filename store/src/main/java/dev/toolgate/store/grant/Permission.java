package dev.toolgate.store.grant;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is set for one holder and one tool.
 *
 * @param allowed false for an explicit no, of which the terms are only the notes
 * @param uses how often it has been used, if its uses are numbered
 */
public record Permission(
        Holder holder,
        String toolName,
        boolean allowed,
        Terms terms,
        int uses,
        @Nullable String updatedBy,
        Instant updatedAt) {

    /** What it comes to at this time; whether a condition holds depends on the call. */
    public State state(Instant now) {
        if (!allowed) {
            return State.REFUSED;
        }
        if (terms.expiresAt() != null && !now.isBefore(terms.expiresAt())) {
            return State.EXPIRED;
        }
        return terms.maxUses() != null && uses >= terms.maxUses() ? State.USED_UP : State.ALLOWED;
    }

    /** What a permission comes to; of several, the one that comes first here counts. */
    public enum State {
        REFUSED,
        ALLOWED,
        USED_UP,
        EXPIRED
    }
}
