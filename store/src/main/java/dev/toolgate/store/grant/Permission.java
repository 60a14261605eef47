package dev.toolgate.store.grant;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The permission of one holder for one tool.
 *
 * @param allowed false for an explicit denial, whose terms contain only notes
 * @param uses the number of uses so far, if it has a maximum
 */
public record Permission(
        Holder holder,
        String toolName,
        boolean allowed,
        Terms terms,
        int uses,
        @Nullable String updatedBy,
        Instant updatedAt) {

    /** Its state at this time; conditions are not evaluated, because they depend on the call. */
    public State state(Instant now) {
        if (!allowed) {
            return State.REFUSED;
        }
        if (terms.expiresAt() != null && !now.isBefore(terms.expiresAt())) {
            return State.EXPIRED;
        }
        return terms.maxUses() != null && uses >= terms.maxUses() ? State.USED_UP : State.ALLOWED;
    }

    /** The state of a permission; of several, the first in this order takes precedence. */
    public enum State {
        REFUSED,
        ALLOWED,
        USED_UP,
        EXPIRED
    }
}
