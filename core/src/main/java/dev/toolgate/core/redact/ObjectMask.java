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
 * Masks the secrets in an object, by the names in it and by the look of its texts. Under a telling name values are
 * masked, names and long texts are not: a secret is no program, and a program must not be hidden by its name.
 */
final class ObjectMask {
    // As deep as JSON may be when it is read; what was built deeper by hand would overflow the stack.
    static final int DEEPEST = 500;
    private static final int LONGEST_SECRET = 512;
    private static final int LONGEST_WORD = 16 * 1024;

    private final Predicate<String> telling;
    private final TextMask texts;
    private final LongFunction<String> placeholder;
    private long characters;

    /** Masks one text that is not a secret by its name. */
    interface TextMask {
        Masked<String> of(String text);
    }

    ObjectMask(Predicate<String> telling, TextMask texts, LongFunction<String> placeholder) {
        this.telling = telling;
        this.texts = texts;
        this.placeholder = placeholder;
    }

    Masked<ObjectNode> of(ObjectNode object) {
        return new Masked<>(object(object, Place.ANYWHERE, DEEPEST), characters);
    }

    private enum Place {
        ANYWHERE,
        UNDER_TELLING_NAME
    }

    private ObjectNode object(ObjectNode object, Place place, int levels) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        boolean pair = telling.test(object.path("name").asString("")); // {"name": "Authorization", "value": …}
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            boolean secret = place == Place.UNDER_TELLING_NAME
                    || telling.test(field.getKey())
                    || (pair && field.getKey().equals("value"));
            copy.set(
                    field.getKey(),
                    value(field.getValue(), secret ? Place.UNDER_TELLING_NAME : Place.ANYWHERE, levels - 1));
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
                place == Place.UNDER_TELLING_NAME && value.isNumber()
                        ? hidden(value.toString().length())
                        : value;
        };
    }

    private JsonNode text(String text, Place place) {
        if (place == Place.UNDER_TELLING_NAME && !text.isEmpty() && isSecretSized(text)) {
            return hidden(text.length());
        }
        Masked<String> masked = texts.of(text);
        characters += masked.characters();
        return JsonNodeFactory.instance.stringNode(masked.value());
    }

    private static boolean isSecretSized(String text) {
        return text.length() <= LONGEST_SECRET
                || (text.length() <= LONGEST_WORD && text.chars().noneMatch(Character::isWhitespace));
    }

    private JsonNode hidden(int length) {
        characters += length;
        return JsonNodeFactory.instance.stringNode(placeholder.apply(length));
    }
}
