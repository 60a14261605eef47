package dev.toolgate.core.tool;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.schema.ArgumentCheck;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.RecordSchema;
import dev.toolgate.core.schema.Touch;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ObjectNode;

/** The type of a tool's arguments: schema, validation and decoding. */
public final class ArgumentType<A> {
    private final ObjectNode schema;
    private final ArgumentCheck check;
    private final Function<ObjectNode, A> decoder;
    private final Map<String, Param> touching;
    private final Set<Touch> undeclaredTouches;

    private ArgumentType(
            ObjectNode schema,
            ArgumentCheck check,
            Function<ObjectNode, A> decoder,
            Map<String, Param> touching,
            Set<Touch> undeclaredTouches) {
        this.schema = schema;
        this.check = check;
        this.decoder = decoder;
        this.touching = touching;
        this.undeclaredTouches = undeclaredTouches;
    }

    /** Arguments bound to a record; the schema is generated from it. */
    public static <R extends Record> ArgumentType<R> of(Class<R> type) {
        // Deserializers are resolved on the first call, not when tools are registered.
        ObjectReader reader = Json.MAPPER
                .reader()
                .without(DeserializationFeature.EAGER_DESERIALIZER_FETCH)
                .forType(type);
        ObjectNode schema = RecordSchema.of(type);
        return new ArgumentType<>(schema, new ArgumentCheck(schema), reader::readValue, touching(type), Set.of());
    }

    /**
     * Arguments passed through as JSON, for tools with an external schema that does not declare what they touch.
     *
     * @throws IllegalArgumentException if the schema cannot be used; see
     *     {@link dev.toolgate.core.schema.ForeignSchema#problem}
     */
    public static ArgumentType<ObjectNode> json(ObjectNode schema) {
        return new ArgumentType<>(
                schema.deepCopy(),
                ArgumentCheck.foreign(schema, "The arguments"),
                node -> node,
                Map.of(),
                Set.of(Touch.PATH, Touch.URL, Touch.COMMAND));
    }

    private static Map<String, Param> touching(Class<? extends Record> type) {
        Map<String, Param> touching = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Param param = component.getAnnotation(Param.class);
            if (param != null && param.touches() != Touch.NOTHING) {
                JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
                touching.put(named == null ? component.getName() : named.value(), param);
            }
        }
        return Collections.unmodifiableMap(touching);
    }

    /** Every path, URL or command in these arguments, including defaults. */
    public List<String> named(Touch kind, ObjectNode arguments) {
        List<String> named = new ArrayList<>();
        touching.forEach((name, param) -> {
            if (param.touches() == kind) {
                JsonNode value = arguments.path(name);
                if (value.isArray()) {
                    value.valueStream().filter(JsonNode::isString).forEach(each -> named.add(each.stringValue()));
                } else if (value.isString()) {
                    named.add(value.stringValue());
                } else if (!param.defaultValue().isEmpty()) {
                    named.add(param.defaultValue());
                }
            }
        });
        return named;
    }

    /** What an argument refers to. */
    public Touch touch(String argument) {
        Param param = touching.get(argument);
        return param == null ? Touch.NOTHING : param.touches();
    }

    /**
     * The same, for a tool that also uses paths, domains or commands that no argument names; it is refused where a
     * session limits them.
     */
    public ArgumentType<A> reaching(Touch... kinds) {
        return new ArgumentType<>(schema, check, decoder, touching, Set.of(kinds));
    }

    /** What the tool may use without declaring it, so that limits cannot be enforced. */
    public Set<Touch> undeclaredTouches() {
        return undeclaredTouches;
    }

    /**
     * The allowed value that differs from the given one in case only. Empty if the value is allowed as is, matches
     * none, or any value is allowed.
     */
    Optional<String> matchIgnoringCase(String argument, JsonNode value) {
        JsonNode options = schema.path("properties").path(argument).path("enum");
        if (!value.isString() || !options.isArray()) {
            return Optional.empty();
        }
        List<String> words = options.valueStream()
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .toList();
        return words.contains(value.stringValue())
                ? Optional.empty()
                : words.stream()
                        .filter(word -> word.equalsIgnoreCase(value.stringValue()))
                        .findFirst();
    }

    /** Whether the schema says that an argument may be null, so that null is a value and not an omission. */
    boolean acceptsNull(String argument) {
        JsonNode property = schema.path("properties").path(argument);
        return isNull(property)
                || property.path("anyOf").valueStream().anyMatch(ArgumentType::isNull)
                || property.path("oneOf").valueStream().anyMatch(ArgumentType::isNull);
    }

    private static boolean isNull(JsonNode property) {
        JsonNode type = property.path("type");
        return type.asString("").equals("null")
                || (type.isArray()
                        && type.valueStream().anyMatch(one -> one.asString("").equals("null")));
    }

    /** A copy of the JSON Schema. */
    public ObjectNode schema() {
        return schema.deepCopy();
    }

    /** What is wrong with the arguments, by field; empty if they are valid. */
    public Optional<String> validate(ObjectNode arguments) {
        return check.validate(arguments);
    }

    /** Decodes arguments for which {@link #validate} was empty. */
    public A decode(ObjectNode arguments) {
        return decoder.apply(arguments);
    }
}
