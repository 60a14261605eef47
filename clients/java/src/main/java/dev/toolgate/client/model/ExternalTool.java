package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A registered tool that its callers run.
 *
 * @param name its name
 * @param description what it does
 * @param inputSchema a JSON Schema of its arguments
 * @param capability the kind of effect it has; {@code External.Call} if null
 * @param danger {@code safe} or {@code dangerous}; dangerous if null
 * @param more fields that this version of the client does not know
 */
public record ExternalTool(
        String name,
        String description,
        Map<String, Object> inputSchema,
        @Nullable String capability,
        @Nullable String danger,
        @JsonAnySetter Map<String, Object> more) {
    public ExternalTool {
        inputSchema = Copies.of(inputSchema);
        more = Copies.of(more);
    }

    /** A dangerous tool without a capability of its own. */
    public static ExternalTool of(String name, String description, Map<String, Object> inputSchema) {
        return new ExternalTool(name, description, inputSchema, null, null, Map.of());
    }

    /** The same tool with this capability. */
    public ExternalTool withCapability(String effect) {
        return new ExternalTool(name, description, inputSchema, effect, danger, more);
    }

    /** The same tool as a safe one. */
    public ExternalTool asSafe() {
        return new ExternalTool(name, description, inputSchema, capability, "safe", more);
    }
}
