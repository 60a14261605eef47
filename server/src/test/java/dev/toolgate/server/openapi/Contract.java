package dev.toolgate.server.openapi;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Queries on the OpenAPI document. */
record Contract(ObjectNode document, Map<JsonNode, Schema> compiled) {
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    static Contract of(JsonNode document) {
        return new Contract((ObjectNode) document, new HashMap<>());
    }

    /**
     * One operation of the document.
     *
     * @param method in upper case
     */
    record Operation(String method, String path, JsonNode node) {
        String name() {
            return method + " " + path;
        }

        boolean takesJson() {
            return node.at("/requestBody/content").has("application/json");
        }
    }

    List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        document.path("paths")
                .forEachEntry((path, item) -> item.forEachEntry(
                        (method, node) -> all.add(new Operation(method.toUpperCase(Locale.ROOT), path, node))));
        return all;
    }

    Operation operation(String name) {
        return operations().stream()
                .filter(operation -> operation.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The document has no operation " + name + "."));
    }

    /** Resolves a reference. */
    JsonNode resolved(JsonNode node) {
        JsonNode reference = node.path("$ref");
        return reference.isString()
                ? resolved(document.at(reference.stringValue().substring(1)))
                : node;
    }

    /** The parameters of an operation in one location, by name. */
    Map<String, JsonNode> parameters(Operation operation, String in) {
        return operation
                .node()
                .path("parameters")
                .valueStream()
                .map(this::resolved)
                .filter(parameter -> parameter.path("in").asString().equals(in))
                .collect(Collectors.toMap(parameter -> parameter.path("name").asString(), parameter -> parameter));
    }

    /** The security of an operation, or else the document's default. */
    JsonNode security(Operation operation) {
        JsonNode own = operation.node().path("security");
        return own.isMissingNode() ? document.path("security") : own;
    }

    JsonNode bodySchema(Operation operation) {
        return operation.node().at("/requestBody/content/application~1json/schema");
    }

    /** The examples of a request or response body. */
    List<JsonNode> examples(JsonNode media) {
        List<JsonNode> all = new ArrayList<>();
        media.path("examples").forEach(example -> all.add(resolved(example).path("value")));
        if (media.has("example")) {
            all.add(media.path("example"));
        }
        return all;
    }

    JsonNode bodyExample(Operation operation) {
        return examples(operation.node().at("/requestBody/content/application~1json"))
                .getFirst();
    }

    /** Validates a value by a schema of the document; empty if valid. */
    List<String> complaints(JsonNode schema, JsonNode value) {
        Schema compiledSchema = compiled.computeIfAbsent(schema, this::compile);
        return compiledSchema
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }

    private Schema compile(JsonNode schema) {
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        whole.putArray("allOf").add(schema.deepCopy());
        whole.putObject("components")
                .set("schemas", document.at("/components/schemas").deepCopy());
        return REGISTRY.getSchema(whole);
    }
}
