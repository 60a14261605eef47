package dev.toolgate.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the gate would decide about a call now.
 *
 * @param allowed whether it would run, after an approval if it needs one
 * @param requiresApproval whether an approval would be needed
 * @param reason why an approval would be needed, or why it would be refused
 * @param violationType the kind of refusal; null if it is allowed
 * @param allowedTools the tools the agent may use, if it would be refused
 * @param suggestion what to do instead, if it would be refused
 * @param answer the whole answer, with fields that this version of the client does not know
 */
public record Validation(
        boolean allowed,
        boolean requiresApproval,
        @Nullable String reason,
        @Nullable String violationType,
        List<String> allowedTools,
        @Nullable String suggestion,
        JsonNode answer) {}
