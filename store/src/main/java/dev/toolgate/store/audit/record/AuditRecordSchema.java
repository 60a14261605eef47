package dev.toolgate.store.audit.record;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The schema of a record in the API document. */
public final class AuditRecordSchema {
    private static final String SCHEMAS = "#/components/schemas/";

    private AuditRecordSchema() {}

    /** The schema, which refers to other schemas of the API document. */
    public static ObjectNode schema() {
        ObjectNode schema = object();
        schema.put("description", "The record of one call, allowed or not, or of one change by an administrator.");
        schema.put("type", "object");
        ArrayNode required = schema.putArray("required");
        AuditRecordJson.NAMES.forEach(required::add);
        schema.put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("id").put("type", "integer");
        AuditColumns.FIRST.forEach(column -> properties.set(column.name(), property(column)));
        properties
                .putObject("instance_id")
                .put("type", "string")
                .put("format", "uuid")
                .put("description", "The server that wrote it.");
        properties
                .putObject("sequence")
                .put("type", "integer")
                .put("minimum", 1)
                .put("description", "Its number in the chain of that server.");
        properties.putObject("hash").put("$ref", SCHEMAS + "Hash");
        properties.putObject("previous_hash").put("$ref", SCHEMAS + "Hash");
        AuditColumns.ADDED.forEach(column -> properties.set(column.name(), property(column)));
        schema.set("example", example());
        return schema;
    }

    /** The schema of one record with what can be done about it. */
    public static ObjectNode schemaWithUndo() {
        ObjectNode schema = schema();
        ((ArrayNode) schema.path("required")).add("undo");
        schema.withObject("/properties/undo").put("$ref", SCHEMAS + "UndoState");
        ObjectNode undo = schema.withObject("/example/undo").put("undoable", false);
        undo.put("reason", "The call was refused, so it changed nothing.").putArray("undone_by");
        return schema;
    }

    private static ObjectNode example() {
        ObjectNode example = object();
        example.put("id", 1042);
        AuditColumns.FIRST.forEach(column -> example.set(column.name(), value(column)));
        example.put("instance_id", "0d2b8a3e-6d0f-4a9e-8c51-3d6d1c1b9a77");
        example.put("sequence", 17);
        example.put("hash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
        example.put("previous_hash", "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752");
        AuditColumns.ADDED.forEach(column -> example.set(column.name(), value(column)));
        return example;
    }

    private static JsonNode value(AuditColumn<?> column) {
        return CanonicalJson.EXACT.readTree(column.example());
    }

    private static ObjectNode property(AuditColumn<?> column) {
        ObjectNode property = object();
        if (column.description() != null) {
            property.put("description", column.description());
        }
        boolean optional = column.presence() == AuditColumn.Presence.OPTIONAL;
        if (column.schemaName() == null) {
            column.type().schema().accept(property);
            if (optional) {
                String type = property.path("type").stringValue();
                property.putArray("type").add(type).add("null");
            }
        } else if (optional) {
            ArrayNode either = property.putArray("oneOf");
            either.addObject().put("$ref", SCHEMAS + column.schemaName());
            either.addObject().put("type", "null");
        } else {
            property.put("$ref", SCHEMAS + column.schemaName());
        }
        return property;
    }

    private static ObjectNode object() {
        return CanonicalJson.EXACT.createObjectNode();
    }
}
