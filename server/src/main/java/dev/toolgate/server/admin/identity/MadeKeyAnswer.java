package dev.toolgate.server.admin.identity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * A key that was just made.
 *
 * @param key the key itself; this is the only time it can be seen
 */
record MadeKeyAnswer(String key, @JsonUnwrapped KeyAnswer about) {

    /** Says nothing of the key itself. */
    @Override
    public String toString() {
        return "MadeKeyAnswer about " + about;
    }
}
