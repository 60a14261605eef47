package dev.toolgate.server.admin.identity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key that replaces another.
 *
 * @param key the key itself; this is the only time it can be seen
 * @param previousExpiresAt until when the one that it replaces still counts
 */
record RotatedKeyAnswer(
        String key,
        @Nullable Instant previousExpiresAt,
        @JsonUnwrapped KeyAnswer about) {

    /** Says nothing of the key itself. */
    @Override
    public String toString() {
        return "RotatedKeyAnswer about " + about;
    }
}
