package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.List;
import java.util.Map;

/**
 * What one agent may do with one tool, and why.
 *
 * @param toolName the tool
 * @param allowed whether it may be used
 * @param state the reason, in one word
 * @param sources the permissions it follows from
 * @param more fields that this version of the client does not know
 */
public record EffectivePermission(
        String toolName,
        boolean allowed,
        String state,
        List<Permission> sources,
        @JsonAnySetter Map<String, Object> more) {
    public EffectivePermission {
        sources = sources == null ? List.of() : List.copyOf(sources);
        more = Copies.of(more);
    }
}
