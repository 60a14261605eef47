package dev.toolgate.server.admin.identity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key that replaces another, as a JSON response.
 *
 * @param key the key itself, which is shown only this once
 * @param previousExpiresAt when the replaced key stops being valid
 */
record RotatedKeyAnswer(
        String key,
        @Nullable Instant previousExpiresAt,
        @JsonUnwrapped KeyAnswer about) {

    /** Leaves out the key itself. */
    @Override
    public String toString() {
        return "RotatedKeyAnswer about " + about;
    }
}
