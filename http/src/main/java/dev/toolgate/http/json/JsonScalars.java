package dev.toolgate.http.json;

import dev.toolgate.core.json.Times;
import dev.toolgate.http.error.BadRequest;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The scalar types of {@link JsonType}. */
final class JsonScalars {
    private static final JsonType BOOLEAN = type("true or false", JsonNode::isBoolean, JsonNode::booleanValue);
    private static final JsonType INTEGER = whole(JsonNode::canConvertToInt, JsonNode::intValue);
    private static final JsonType LONG = whole(JsonNode::canConvertToLong, JsonNode::longValue);
    private static final JsonType DOUBLE = type("a number", JsonNode::isNumber, JsonNode::doubleValue);

    private static final Map<Class<?>, JsonType> KNOWN = Map.ofEntries(
            Map.entry(String.class, JsonScalars::text),
            Map.entry(boolean.class, BOOLEAN),
            Map.entry(Boolean.class, BOOLEAN),
            Map.entry(int.class, INTEGER),
            Map.entry(Integer.class, INTEGER),
            Map.entry(long.class, LONG),
            Map.entry(Long.class, LONG),
            Map.entry(double.class, DOUBLE),
            Map.entry(Double.class, DOUBLE),
            Map.entry(BigDecimal.class, type("a number", JsonNode::isNumber, JsonNode::decimalValue)),
            Map.entry(Instant.class, JsonScalars::time));

    private JsonScalars() {}

    static @Nullable JsonType of(Class<?> type) {
        return type.isEnum() ? choice(type) : KNOWN.get(type);
    }

    private static JsonType type(String wanted, Predicate<JsonNode> fits, Function<JsonNode, Object> read) {
        return (value, path) -> {
            if (!fits.test(value)) {
                throw JsonType.mismatch(value, path, wanted);
            }
            return read.apply(value);
        };
    }

    private static JsonType whole(Predicate<JsonNode> fits, Function<JsonNode, Object> read) {
        JsonType ofAnySize = type("a whole number", JsonNode::canConvertToExactIntegral, value -> value);
        return (value, path) -> {
            if (!fits.test((JsonNode) ofAnySize.read(value, path))) {
                throw new BadRequest("Field '" + path + "' is a number out of range.");
            }
            return read.apply(value);
        };
    }

    // JSON can contain unpaired surrogates, which can be neither stored nor sent.
    private static Object text(JsonNode value, String path) {
        if (!value.isString()) {
            throw JsonType.mismatch(value, path, "text");
        }
        String text = value.stringValue();
        if (hasUnpairedSurrogate(text)) {
            throw new BadRequest("Field '" + path + "' contains an unpaired surrogate.");
        }
        return text;
    }

    private static boolean hasUnpairedSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) { // most texts have none at all
                return text.codePoints()
                        .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
            }
        }
        return false;
    }

    private static Object time(JsonNode value, String path) {
        return Optional.of(value)
                .filter(JsonNode::isString)
                .flatMap(text -> Times.read(text.stringValue()))
                .orElseThrow(() -> new BadRequest("Field '" + path + "' must be a time such as 2026-01-31T12:00:00Z."));
    }

    /** Enum constants are written in lower case. */
    private static JsonType choice(Class<?> type) {
        Map<String, Object> constants = new LinkedHashMap<>();
        Arrays.stream(type.getEnumConstants())
                .forEach(constant -> constants.put(((Enum<?>) constant).name().toLowerCase(Locale.ROOT), constant));
        return (value, path) -> {
            Object constant = value.isString() ? constants.get(value.stringValue()) : null;
            if (constant == null) {
                throw new BadRequest(
                        "Field '" + path + "' must be one of " + String.join(", ", constants.keySet()) + ".");
            }
            return constant;
        };
    }
}
