package dev.toolgate.server.admin.identity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * A new key as a JSON response.
 *
 * @param key the key itself, which is shown only this once
 */
record MadeKeyAnswer(String key, @JsonUnwrapped KeyAnswer about) {

    /** Leaves out the key itself. */
    @Override
    public String toString() {
        return "MadeKeyAnswer about " + about;
    }
}
