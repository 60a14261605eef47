package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.List;
import java.util.Map;

/**
 * A tool with its parameters and capability.
 *
 * @param name its name
 * @param aliases its other names
 * @param description what it does
 * @param capability the kind of effect it has, for example {@code File.Write}
 * @param category the family it belongs to
 * @param danger {@code safe} or {@code dangerous}
 * @param executedBy who runs it: {@code gate} (execute) or {@code client} (authorize)
 * @param inputSchema a JSON Schema of its arguments
 * @param resultSchema a JSON Schema of its structured result; empty if it has none
 * @param more fields that this version of the client does not know
 */
public record Tool(
        String name,
        List<String> aliases,
        String description,
        String capability,
        String category,
        String danger,
        String executedBy,
        Map<String, Object> inputSchema,
        Map<String, Object> resultSchema,
        @JsonAnySetter Map<String, Object> more) {
    public Tool {
        aliases = aliases == null ? List.of() : List.copyOf(aliases);
        inputSchema = Copies.of(inputSchema);
        resultSchema = Copies.of(resultSchema);
        more = Copies.of(more);
    }
}
