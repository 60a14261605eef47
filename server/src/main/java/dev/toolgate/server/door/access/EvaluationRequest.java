package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.server.gate.CallRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of an AuthZEN access evaluation: may this agent do that with this tool?
 *
 * @param context its {@code session_id} names the session whose policy applies
 */
record EvaluationRequest(
        Entity subject,
        Action action,
        Entity resource,
        @Nullable ObjectNode context) {
    private static final int MAX_TEXT = 100;

    EvaluationRequest {
        requireType("subject", subject.type(), "agent");
        requireType("resource", resource.type(), "tool");
        TextFields.check("resource.id", resource.id(), ToolNameFields.MAX_LENGTH);
        TextFields.check("action.name", action.name(), MAX_TEXT);
        JsonNode session = context == null ? null : context.get("session_id");
        if (session != null && !session.isString()) {
            throw new IllegalArgumentException("Field 'context.session_id' must be text.");
        }
    }

    /** A subject or resource. */
    record Entity(String type, String id, @Nullable ObjectNode properties) {}

    /**
     * What is done.
     *
     * @param properties the arguments of the tool
     */
    record Action(String name, @Nullable ObjectNode properties) {}

    private static void requireType(String field, String type, String expected) {
        if (!type.equals(expected)) {
            throw new IllegalArgumentException("Field '" + field + ".type' must be '" + expected + "'.");
        }
    }

    AgentId agent() {
        return new AgentId(subject.id());
    }

    boolean hasArguments() {
        return action.properties() != null;
    }

    CallRequest call() {
        JsonNode session = context == null ? null : context.get("session_id");
        return CallRequest.of(
                        resource.id(),
                        action.properties() == null ? Json.MAPPER.createObjectNode() : action.properties())
                .as(agent(), CallRequest.Acting.CALLING)
                .in(session == null ? null : new SessionId(session.stringValue()), null)
                .purpose(action.name(), null);
    }
}
