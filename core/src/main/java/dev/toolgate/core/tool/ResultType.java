package dev.toolgate.core.tool;

import dev.toolgate.core.schema.RecordSchema;
import tools.jackson.databind.node.ObjectNode;

/** The type of a tool's structured output. */
public sealed interface ResultType {
    /** Its JSON Schema, as a copy. */
    ObjectNode schema();

    /** Output that is written from a record. */
    record OfRecord(Class<? extends Record> type) implements ResultType {
        @Override
        public ObjectNode schema() {
            return RecordSchema.of(type);
        }
    }

    /** Output with a schema from elsewhere, such as that of an MCP server's tool. */
    record OfSchema(ObjectNode given) implements ResultType {
        @Override
        public ObjectNode schema() {
            return given.deepCopy();
        }
    }
}
