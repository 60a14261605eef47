package dev.toolgate.server.config;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.setting.ByteSize;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The format of each type a setting can have. */
final class ValueFormats {
    private static final Pattern URL = Pattern.compile("https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]+");

    private static final Map<Class<?>, ValueFormat> SIMPLE = Map.ofEntries(
            Map.entry(String.class, text(value -> value)),
            Map.entry(Secret.class, text(Secret::new)),
            Map.entry(Path.class, text(ValueFormats::path)),
            Map.entry(URI.class, text(ValueFormats::url)),
            Map.entry(Pattern.class, text(ValueFormats::expression)),
            Map.entry(
                    SecretLocation.class, written(SecretLocation::parse, SecretLocation.MUST, SecretLocation.PATTERN)),
            Map.entry(KeyLifetime.class, written(KeyLifetime::parse, KeyLifetime.MUST, KeyLifetime.PATTERN)),
            Map.entry(Duration.class, written(Durations::parse, "must be a duration such as 30s", Durations.PATTERN)),
            Map.entry(ByteSize.class, written(ByteSize::parse, "must be a size such as 1MB", ByteSize.PATTERN)),
            Map.entry(int.class, literal(JsonNode::isInt, JsonNode::asInt, "must be a whole number", "integer")),
            Map.entry(
                    boolean.class,
                    literal(JsonNode::isBoolean, JsonNode::asBoolean, "must be true or false", "boolean")),
            Map.entry(
                    BigDecimal.class,
                    literal(JsonNode::isNumber, JsonNode::decimalValue, "must be a number", "number")));

    private ValueFormats() {}

    static ValueFormat of(Type type) {
        if (type instanceof ParameterizedType container) {
            Type[] of = container.getActualTypeArguments();
            return container.getRawType() == List.class ? list(of(of[0])) : map(of(of[1]));
        }
        Class<?> simple = type == Integer.class ? int.class : (Class<?>) type;
        ValueFormat format = SIMPLE.get(simple);
        if (format != null) {
            return format;
        }
        return simple.isRecord() ? section(simple.asSubclass(Record.class)) : choice(simple);
    }

    private static ValueFormat section(Class<? extends Record> type) {
        SettingsNode.Section section = SettingsNode.of(type);
        return new ValueFormat(
                node -> new SettingsReader(section, Map.of()).readInner(node),
                ValueFormats::literalNode,
                SettingsSchema.section(section));
    }

    private static ValueFormat text(Function<String, Object> make) {
        return new ValueFormat(
                node -> make.apply(asText(node, "must be text")), ValueFormats::textNode, schema("string"));
    }

    private static ValueFormat written(Function<String, Object> make, String must, String pattern) {
        ObjectNode schema = schema("string").put("pattern", "^" + pattern + "$");
        return new ValueFormat(node -> make.apply(asText(node, must)), ValueFormats::textNode, schema);
    }

    private static ValueFormat literal(
            Function<JsonNode, Boolean> fits, Function<JsonNode, Object> make, String must, String jsonType) {
        return new ValueFormat(
                node -> {
                    if (!fits.apply(node)) {
                        throw new IllegalArgumentException(must);
                    }
                    return make.apply(node);
                },
                ValueFormats::literalNode,
                schema(jsonType));
    }

    private static ValueFormat choice(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        if (constants == null) {
            throw new IllegalStateException("No setting can be of type " + type.getName() + ".");
        }
        Map<String, Object> options = new LinkedHashMap<>();
        Arrays.stream(constants).forEach(option -> options.put(option.toString().toLowerCase(Locale.ROOT), option));
        String must = "must be one of " + String.join(", ", options.keySet());
        ObjectNode schema = schema("string");
        schema.set("enum", Json.MAPPER.valueToTree(options.keySet()));
        return new ValueFormat(
                node -> {
                    Object option = options.get(asText(node, must));
                    if (option == null) {
                        throw new IllegalArgumentException(must);
                    }
                    return option;
                },
                text -> textNode(text.toLowerCase(Locale.ROOT)), // upper case is common in environments: LOG_LEVEL=INFO
                schema);
    }

    private static ValueFormat list(ValueFormat item) {
        ObjectNode schema = schema("array");
        schema.set("items", item.schema());
        return new ValueFormat(
                node -> {
                    if (!node.isArray()) {
                        throw new IllegalArgumentException("must be a list");
                    }
                    return node.valueStream().map(item.read()).toList();
                },
                // A list of sections cannot be split at commas; it is written as JSON.
                text -> text.startsWith("[{")
                        ? literalNode(text)
                        : Json.MAPPER
                                .createArrayNode()
                                .addAll(Arrays.stream(text.split(","))
                                        .map(String::strip)
                                        .filter(part -> !part.isEmpty())
                                        .map(item.fromText())
                                        .toList()),
                schema);
    }

    private static ValueFormat map(ValueFormat value) {
        ObjectNode schema = schema("object");
        schema.set("additionalProperties", value.schema());
        return new ValueFormat(
                node -> {
                    if (!node.isObject()) {
                        throw new IllegalArgumentException("must be a mapping of keys to values");
                    }
                    Map<String, Object> values = new LinkedHashMap<>();
                    node.properties()
                            .forEach(field ->
                                    values.put(field.getKey(), named(field.getKey(), value, field.getValue())));
                    return Map.copyOf(values);
                },
                text -> text.isEmpty() ? Json.MAPPER.createObjectNode() : literalNode(text),
                schema);
    }

    private static Object named(String key, ValueFormat format, JsonNode node) {
        try {
            return format.read().apply(node);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(key + ": " + wrong.getMessage(), wrong);
        }
    }

    private static Path path(String text) {
        String home = System.getProperty("user.home");
        return Path.of(text.equals("~") || text.startsWith("~/") ? home + text.substring(1) : text)
                .toAbsolutePath()
                .normalize();
    }

    private static URI url(String text) {
        if (!URL.matcher(text).matches()) {
            throw new IllegalArgumentException("must be a URL such as https://example.com/keys");
        }
        return URI.create(text);
    }

    private static Pattern expression(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException("must be a regular expression: " + wrong.getDescription(), wrong);
        }
    }

    private static String asText(JsonNode node, String must) {
        if (!node.isString()) {
            throw new IllegalArgumentException(must);
        }
        return node.stringValue();
    }

    private static ObjectNode schema(String type) {
        return Json.MAPPER.createObjectNode().put("type", type);
    }

    private static JsonNode textNode(String text) {
        return Json.MAPPER.getNodeFactory().stringNode(text);
    }

    private static JsonNode literalNode(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException notJson) {
            return textNode(text);
        }
    }
}
