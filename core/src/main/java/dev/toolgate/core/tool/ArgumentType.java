package dev.toolgate.core.tool;

import dev.toolgate.core.schema.ArgumentCheck;
import dev.toolgate.core.schema.Json;
import dev.toolgate.core.schema.RecordSchema;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * The type of a tool's arguments: its schema, the check against it, and the step from checked JSON
 * to the value the tool receives.
 */
public final class ArgumentType<A> {
    private final ObjectNode schema;
    private final ArgumentCheck check;
    private final Function<ObjectNode, A> decoder;

    private ArgumentType(ObjectNode schema, Function<ObjectNode, A> decoder) {
        this.schema = schema;
        this.check = new ArgumentCheck(schema);
        this.decoder = decoder;
    }

    /** Arguments bound to a record; the schema is generated from it. */
    public static <R extends Record> ArgumentType<R> of(Class<R> type) {
        return new ArgumentType<>(RecordSchema.of(type), node -> Json.MAPPER.treeToValue(node, type));
    }

    /** Arguments passed through as JSON, for tools whose schema comes from elsewhere. */
    public static ArgumentType<ObjectNode> json(ObjectNode schema) {
        return new ArgumentType<>(schema.deepCopy(), node -> node);
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
