package dev.toolgate.server.admin.review;

import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.query.RecordedCalls;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The arguments of a recorded call, and how complete the record of them is.
 *
 * @param asRecorded with placeholders for missing values
 * @param unreadable the same, but a condition that reads a masked value fails instead of reading the placeholder
 */
record MaskedArguments(ObjectNode asRecorded, ObjectNode unreadable, Completeness completeness) {
    private static final String MASK = "[redacted";
    private static final String SHORTENED = "[shortened: ";
    private static final String LEFT_OUT = "[left out: ";
    private static final String NOT_RECORDED = "not recorded: ";

    /** Replaces a masked value; it is not JSON, so no condition can read it. */
    private record Hidden() {}

    /** How complete the recorded arguments are. */
    enum Completeness {
        WHOLE,
        /** All names, but some values are masked. */
        MASKED,
        /** Parts are missing. */
        CUT
    }

    static MaskedArguments of(RecordedCalls.Recorded call) {
        ObjectNode arguments = parsed(call.parameters());
        if (arguments == null || call.operation().contains(MASK)) {
            return new MaskedArguments(
                    JsonNodeFactory.instance.objectNode(), JsonNodeFactory.instance.objectNode(), Completeness.CUT);
        }
        String text = call.parameters().toLowerCase(Locale.ROOT);
        if (text.contains(SHORTENED) || text.contains(LEFT_OUT) || text.contains(NOT_RECORDED)) {
            return new MaskedArguments(arguments, arguments, Completeness.CUT);
        }
        boolean masked = text.contains(MASK) || (call.maskedCharacters() != null && call.maskedCharacters() > 0);
        return masked
                ? new MaskedArguments(arguments, (ObjectNode) hidden(arguments), Completeness.MASKED)
                : new MaskedArguments(arguments, arguments, Completeness.WHOLE);
    }

    private static @Nullable ObjectNode parsed(String json) {
        try {
            return Json.MAPPER.readTree(json) instanceof ObjectNode object ? object : null;
        } catch (JacksonException unreadable) {
            return null;
        }
    }

    private static JsonNode hidden(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode copy = JsonNodeFactory.instance.objectNode();
                object.forEachEntry((name, inner) -> copy.set(name, hidden(inner)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
                array.forEach(inner -> copy.add(hidden(inner)));
                yield copy;
            }
            default ->
                value.isString() && value.stringValue().contains(MASK)
                        ? JsonNodeFactory.instance.pojoNode(new Hidden())
                        : value;
        };
    }
}
