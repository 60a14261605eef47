package dev.toolgate.core.schema;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Validates arguments against a schema, with errors in plain words. */
public final class ArgumentCheck {
    private static final int MAX_ERRORS = 5;
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    @FunctionalInterface
    private interface Validation {
        List<Error> errors(JsonNode value) throws ForeignSchema.ValidationLimit;
    }

    private final Validation validation;
    private final String knownFields;
    private final String whole;

    public ArgumentCheck(ObjectNode schema) {
        this(REGISTRY.getSchema(schema.deepCopy())::validate, schema, "The arguments");
    }

    private ArgumentCheck(Validation validation, ObjectNode schema, String whole) {
        this.validation = validation;
        this.knownFields = String.join(", ", schema.path("properties").propertyNames());
        this.whole = whole;
    }

    /**
     * Validates against a third-party schema, such as that of an MCP server.
     *
     * @param whole what the value is called in errors, for example "The result"
     * @throws IllegalArgumentException if the schema cannot be used; see {@link ForeignSchema#problem}
     */
    public static ArgumentCheck foreign(ObjectNode schema, String whole) {
        return new ArgumentCheck(new ForeignSchema(schema)::validate, schema, whole);
    }

    /** One sentence that names every wrong field; empty if nothing is wrong. */
    public Optional<String> validate(JsonNode arguments) {
        List<Error> errors;
        try {
            errors = validation.errors(arguments);
        } catch (ForeignSchema.ValidationLimit unchecked) {
            return Optional.of(whole + " " + unchecked.getMessage() + ".");
        }
        if (errors.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(errors.stream()
                .limit(MAX_ERRORS)
                .map(this::inPlainWords)
                .distinct()
                .collect(Collectors.joining("; ", "", ".")));
    }

    private String inPlainWords(Error error) {
        String field = fieldName(error);
        return switch (error.getKeyword()) {
            case "required" -> "Missing required field: " + join(field, error.getProperty());
            case "additionalProperties", "unevaluatedProperties" ->
                "Unknown field '" + join(field, error.getProperty()) + "'"
                        + (knownFields.isEmpty()
                                ? "; this tool takes no arguments"
                                : "; known fields are " + knownFields);
            case "type" ->
                subject(field) + " must be " + withArticle(error.getSchemaNode()) + ", not "
                        + kind(error.getInstanceNode());
            case "enum" -> subject(field) + " must be one of " + options(error.getSchemaNode());
            case "minimum" ->
                subject(field) + " must be at least " + error.getSchemaNode().asString();
            case "maximum" ->
                subject(field) + " must be at most " + error.getSchemaNode().asString();
            case "minLength" ->
                subject(field) + " must not be "
                        + (error.getSchemaNode().asInt() == 1
                                ? "empty"
                                : "shorter than " + error.getSchemaNode().asInt() + " characters");
            case "maxLength" ->
                subject(field) + " must not be longer than "
                        + error.getSchemaNode().asString() + " characters";
            default -> subject(field) + " is not acceptable: " + error.getMessage();
        };
    }

    private static String fieldName(Error error) {
        String pointer = error.getInstanceLocation().toString();
        return pointer.replaceFirst("^[$#]?[./]?", "").replace('/', '.');
    }

    private String subject(String field) {
        return field.isEmpty() ? whole : "Field '" + field + "'";
    }

    private static String join(String parent, String property) {
        return parent.isEmpty() ? property : parent + "." + property;
    }

    private static String withArticle(JsonNode type) {
        return type.isArray()
                ? type.valueStream().map(one -> name(shown(one))).collect(Collectors.joining(" or "))
                : name(shown(type));
    }

    private static String name(String jsonType) {
        return switch (jsonType) {
            case "string" -> "text";
            case "integer" -> "a whole number";
            case "number" -> "a number";
            case "boolean" -> "true or false";
            case "array" -> "a list";
            case "object" -> "an object";
            case "null" -> "null";
            default -> jsonType;
        };
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "text";
            case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a number with a fraction";
            case BOOLEAN -> "true or false";
            case ARRAY -> "a list";
            case OBJECT, POJO -> "an object";
            case NULL, MISSING -> "null";
            case BINARY -> "bytes";
        };
    }

    private static String options(JsonNode values) {
        return values.valueStream().map(ArgumentCheck::shown).collect(Collectors.joining(", "));
    }

    private static String shown(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}
