package dev.toolgate.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** JSON as the API writes it: names with underscores, times as text. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();
    // Arguments and outputs keep the names that they have.
    private static final JsonMapper VALUES = JsonMapper.builder().build();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private Json() {}

    /** The text as JSON; a missing node if it is not valid JSON. */
    static JsonNode parse(byte[] text) {
        try {
            return text.length == 0 ? MissingNode.getInstance() : MAPPER.readTree(text);
        } catch (JacksonException noJson) {
            return MissingNode.getInstance();
        }
    }

    static byte[] write(Object value) {
        return VALUES.writeValueAsBytes(value);
    }

    /** The value as JSON, or its text if it cannot be written as JSON. */
    static JsonNode valueOrText(@Nullable Object value) {
        try {
            return VALUES.valueToTree(value);
        } catch (JacksonException | IllegalArgumentException notJson) {
            return VALUES.valueToTree(String.valueOf(value));
        }
    }

    static <T> T read(JsonNode node, Class<T> type) {
        try {
            return MAPPER.treeToValue(node, type);
        } catch (JacksonException unexpected) {
            throw new ToolgateException(
                    Reply.UNEXPECTED,
                    "The gate's answer is not what this client expects: " + unexpected.getOriginalMessage(),
                    "Use a client of the same version as the gate.",
                    false,
                    null);
        }
    }

    static <T> List<T> readList(JsonNode list, Class<T> type) {
        return list.valueStream().map(each -> read(each, type)).toList();
    }

    static Map<String, Object> object(JsonNode node) {
        return node.isObject() ? VALUES.convertValue(node, OBJECT) : Map.of();
    }

    static @Nullable String text(JsonNode node) {
        return node.isString() ? node.asString() : null;
    }

    static @Nullable Instant time(JsonNode node) {
        try {
            return node.isString() ? Instant.parse(node.asString()) : null;
        } catch (DateTimeException noTime) {
            return null;
        }
    }

    /** The body of a request: an object that omits null values. */
    static final class Body {
        private final Map<String, Object> fields = new LinkedHashMap<>();

        Body put(String name, @Nullable Object value) {
            if (value != null) {
                fields.put(name, value);
            }
            return this;
        }

        Map<String, Object> fields() {
            return fields;
        }
    }
}
