package dev.toolgate.core.redact;

import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Masks secrets in an object, by field name and by the format of its texts. Under a sensitive name, values are masked
 * but names and long texts are not: a long text is no secret, and a program must not be hidden by its field name.
 */
final class ObjectMask {
    // The depth limit of parsed JSON; deeper hand-built JSON would overflow the stack.
    static final int MAX_DEPTH = 500;
    private static final int MAX_SECRET_LENGTH = 512;
    private static final int MAX_WORD_LENGTH = 16 * 1024;

    private final Predicate<String> sensitiveName;
    private final TextMask texts;
    private final LongFunction<String> placeholder;
    private long characters;

    /** Masks a text that is not under a sensitive name. */
    interface TextMask {
        Masked<String> of(String text);
    }

    ObjectMask(Predicate<String> sensitiveName, TextMask texts, LongFunction<String> placeholder) {
        this.sensitiveName = sensitiveName;
        this.texts = texts;
        this.placeholder = placeholder;
    }

    Masked<ObjectNode> of(ObjectNode object) {
        return new Masked<>(object(object, Place.ANYWHERE, MAX_DEPTH), characters);
    }

    private enum Place {
        ANYWHERE,
        UNDER_SENSITIVE_NAME
    }

    private ObjectNode object(ObjectNode object, Place place, int levels) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        boolean pair = sensitiveName.test(object.path("name").asString("")); // {"name": "Authorization", "value": …}
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            boolean secret = place == Place.UNDER_SENSITIVE_NAME
                    || sensitiveName.test(field.getKey())
                    || (pair && field.getKey().equals("value"));
            copy.set(
                    field.getKey(),
                    value(field.getValue(), secret ? Place.UNDER_SENSITIVE_NAME : Place.ANYWHERE, levels - 1));
        }
        return copy;
    }

    private JsonNode value(JsonNode value, Place place, int levels) {
        if (levels == 0) {
            return hidden(1);
        }
        return switch (value) {
            case ObjectNode object -> object(object, place, levels);
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
                array.forEach(item -> copy.add(value(item, place, levels - 1)));
                yield copy;
            }
            case StringNode text -> text(text.stringValue(), place);
            default ->
                place == Place.UNDER_SENSITIVE_NAME && value.isNumber()
                        ? hidden(value.toString().length())
                        : value;
        };
    }

    private JsonNode text(String text, Place place) {
        if (place == Place.UNDER_SENSITIVE_NAME && !text.isEmpty() && isSecretSized(text)) {
            return hidden(text.length());
        }
        Masked<String> masked = texts.of(text);
        characters += masked.characters();
        return JsonNodeFactory.instance.stringNode(masked.value());
    }

    private static boolean isSecretSized(String text) {
        return text.length() <= MAX_SECRET_LENGTH
                || (text.length() <= MAX_WORD_LENGTH && text.chars().noneMatch(Character::isWhitespace));
    }

    private JsonNode hidden(int length) {
        characters += length;
        return JsonNodeFactory.instance.stringNode(placeholder.apply(length));
    }
}
