package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.redact.Redactor;
import java.util.Map;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** The arguments of a call as approvers see them: secrets masked, nothing hidden. */
public final class ShownArguments {
    private static final int ARGUMENT_BYTES = 4 * 1024;
    private static final int ARGUMENTS_LENGTH = 64 * 1024;

    private ShownArguments() {}

    /** All arguments of a held call, however long they are: an approver must be able to read the whole call. */
    public static ObjectNode whole(Call call, Redactor redactor) {
        ObjectNode masked =
                redactor.of(call.caller().tenant()).mask(call.arguments()).value();
        return (ObjectNode) shown(masked, VisibleText::visible);
    }

    /** Masked arguments for a list of requests, with long texts shortened. */
    static ObjectNode shortened(ObjectNode masked) {
        ObjectNode shown = (ObjectNode) shown(masked, text -> shortened(text, ARGUMENT_BYTES));
        int length = shown.toString().length();
        return length <= ARGUMENTS_LENGTH
                ? shown
                : Json.MAPPER.valueToTree(Map.of(
                        "shortened",
                        "The arguments are too long for a list: " + length
                                + " characters; they are shown with the approval request itself"));
    }

    /** A masked text with nothing hidden, shortened in its middle. */
    static String shortened(String text, int maxBytes) {
        return HeadTail.fit(VisibleText.visible(HeadTail.fit(text, maxBytes)), maxBytes);
    }

    private static JsonNode shown(JsonNode value, UnaryOperator<String> text) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode copy = JsonNodeFactory.instance.objectNode();
                object.properties()
                        .forEach(field -> copy.set(unused(copy, field.getKey()), shown(field.getValue(), text)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
                array.forEach(item -> copy.add(shown(item, text)));
                yield copy;
            }
            case StringNode string -> JsonNodeFactory.instance.stringNode(text.apply(string.stringValue()));
            default -> value;
        };
    }

    // Names that differ only in invisible characters must stay distinct, or one would hide the other.
    private static String unused(ObjectNode object, String name) {
        String visible = VisibleText.line(name);
        while (object.has(visible)) {
            visible += " (another)";
        }
        return visible;
    }
}
