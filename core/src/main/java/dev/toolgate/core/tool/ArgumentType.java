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

/**
 * The type of a tool's arguments: its schema, the check against it, and the step from checked JSON
 * to the value the tool receives.
 */
public final class ArgumentType<A> {
    private final ObjectNode schema;
    private final ArgumentCheck check;
    private final Function<ObjectNode, A> decoder;
    private final Map<String, Param> touching;
    private final Set<Touch> undeclaredTouches;

    private ArgumentType(
            ObjectNode schema,
            Function<ObjectNode, A> decoder,
            Map<String, Param> touching,
            Set<Touch> undeclaredTouches) {
        this.schema = schema;
        this.check = new ArgumentCheck(schema);
        this.decoder = decoder;
        this.touching = touching;
        this.undeclaredTouches = undeclaredTouches;
    }

    /** Arguments bound to a record; the schema is generated from it. */
    public static <R extends Record> ArgumentType<R> of(Class<R> type) {
        // The type is looked up once; how it is read is found out with the first call, not while tools are listed.
        ObjectReader reader = Json.MAPPER
                .reader()
                .without(DeserializationFeature.EAGER_DESERIALIZER_FETCH)
                .forType(type);
        return new ArgumentType<>(RecordSchema.of(type), reader::readValue, touching(type), Set.of());
    }

    /** Arguments passed through as JSON, for tools whose schema comes from elsewhere and does not say what they touch. */
    public static ArgumentType<ObjectNode> json(ObjectNode schema) {
        return new ArgumentType<>(
                schema.deepCopy(), node -> node, Map.of(), Set.of(Touch.PATH, Touch.URL, Touch.COMMAND));
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

    /** Every path, URL or command that these arguments name, with what is used for those left out. */
    public List<String> named(Touch kind, ObjectNode arguments) {
        List<String> named = new ArrayList<>();
        touching.forEach((name, param) -> {
            if (param.touches() == kind) {
                JsonNode value = arguments.path(name);
                if (value.isArray()) {
                    value.valueStream().filter(JsonNode::isString).forEach(each -> named.add(each.stringValue()));
                } else if (value.isString()) {
                    named.add(value.stringValue());
                } else if (!param.initial().isEmpty()) {
                    named.add(param.initial());
                }
            }
        });
        return named;
    }

    /** What an argument names. */
    public Touch touch(String argument) {
        Param param = touching.get(argument);
        return param == null ? Touch.NOTHING : param.touches();
    }

    /**
     * The same, for a tool that also reaches such things without naming them and does not keep to a
     * session's list of them; it is refused where a session has such a list.
     */
    public ArgumentType<A> reaching(Touch... kinds) {
        return new ArgumentType<>(schema, decoder, touching, Set.of(kinds));
    }

    /** What the tool may touch without naming it, and cannot be held to a list of. */
    public Set<Touch> undeclaredTouches() {
        return undeclaredTouches;
    }

    /**
     * The option that a value means, for an argument whose values are a list of words: the one that differs from it in
     * upper and lower case only. Empty if the value is an option itself, means none, or anything is allowed.
     */
    Optional<String> meant(String argument, JsonNode value) {
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

    /** The JSON Schema; a copy, so that callers may decorate it. */
    public ObjectNode schema() {
        return schema.deepCopy();
    }

    /** What is wrong with the arguments, naming the field; empty if nothing is. */
    public Optional<String> complaint(ObjectNode arguments) {
        return check.complaint(arguments);
    }

    /** The arguments as the tool receives them. Call only after {@link #complaint} was empty. */
    public A decode(ObjectNode arguments) {
        return decoder.apply(arguments);
    }
}
