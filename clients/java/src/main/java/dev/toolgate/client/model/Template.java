package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.List;
import java.util.Map;

/**
 * A set of tools for a common role.
 *
 * @param templateId its id
 * @param name its name
 * @param description what it is for
 * @param tools the tools it grants
 * @param more fields that this version of the client does not know
 */
public record Template(
        String templateId,
        String name,
        String description,
        List<String> tools,
        @JsonAnySetter Map<String, Object> more) {
    public Template {
        tools = tools == null ? List.of() : List.copyOf(tools);
        more = Copies.of(more);
    }
}
