package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Map;

/**
 * Why a tool failed.
 *
 * @param code the error code
 * @param message what happened
 * @param remediation what to do
 * @param retryable whether another call may succeed later
 * @param details more for programs
 * @param more fields that this version of the client does not know
 */
public record ToolFailure(
        String code,
        String message,
        String remediation,
        boolean retryable,
        Map<String, Object> details,
        @JsonAnySetter Map<String, Object> more) {
    public ToolFailure {
        details = Copies.of(details);
        more = Copies.of(more);
    }
}
