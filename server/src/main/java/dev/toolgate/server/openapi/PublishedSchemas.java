package dev.toolgate.server.openapi;

import dev.toolgate.core.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rewrites the schemas of the document into a form that client generators understand. The files share fields with
 * {@code allOf}, express rules between fields with {@code oneOf}, and define objects where they are used. In the
 * published document an object lists all of its fields, rules between them are in {@code if} and {@code then}, which
 * validators apply and generators ignore, and every object has a name.
 */
final class PublishedSchemas {
    private static final String REFERENCE = "#/components/schemas/";
    private static final List<String> COMBINED = List.of("allOf", "oneOf", "anyOf");

    private final ObjectNode document;
    private final ObjectNode schemas;

    private PublishedSchemas(ObjectNode document) {
        this.document = document;
        this.schemas = document.withObject("/components/schemas");
    }

    /** Changes the schemas of a document. */
    static void apply(ObjectNode document) {
        PublishedSchemas published = new PublishedSchemas(document);
        List<String> names = List.copyOf(published.schemas.propertyNames());
        Set<String> used = published.references();
        names.forEach(name -> published.schemas.set(name, published.listed(published.schema(name))));
        names.forEach(name -> published.nameObjects(published.schema(name), name));
        published.nameObjectsOfOperations();
        used.removeAll(published.references());
        published.remove(used);
    }

    private ObjectNode schema(String name) {
        return (ObjectNode) schemas.required(name);
    }

    private @Nullable ObjectNode referenced(JsonNode schema) {
        String reference = schema.path("$ref").asString("");
        return reference.startsWith(REFERENCE) ? schema(reference.substring(REFERENCE.length())) : null;
    }

    /** The same schema with all of its fields in one list, and the rules between them separate. */
    private ObjectNode listed(ObjectNode schema) {
        boolean sharesFields = schema.path("allOf").valueStream().anyMatch(this::isObject);
        if (!schema.has("properties") && !sharesFields) {
            return schema;
        }
        ObjectNode fields = Json.MAPPER.createObjectNode();
        Set<String> required = new LinkedHashSet<>();
        List<JsonNode> rules = new ArrayList<>();
        for (JsonNode part : schema.path("allOf")) {
            ObjectNode shared = referenced(part);
            if (shared == null) {
                rules.add(part);
            } else if (isObject(part)) {
                take(listed(shared.deepCopy()), fields, required, rules);
            } else {
                rules.add(shared.deepCopy().without("description"));
            }
        }
        for (String choice : List.of("oneOf", "anyOf")) {
            if (schema.has(choice)) {
                rules.add(Json.MAPPER.createObjectNode().set(choice, schema.get(choice)));
            }
        }
        take(schema, fields, required, rules);
        ObjectNode listed = schema.deepCopy();
        listed.remove(List.of("allOf", "oneOf", "anyOf", "if", "then", "else"));
        if (!listed.has("type")) {
            listed.put("type", "object");
        }
        if (listed.remove("unevaluatedProperties") != null) {
            listed.put("additionalProperties", false);
        }
        listed.remove("required");
        if (!required.isEmpty()) {
            listed.set("required", Json.MAPPER.valueToTree(required));
        }
        listed.set("properties", fields);
        return state(rules, listed);
    }

    private boolean isObject(JsonNode part) {
        ObjectNode shared = referenced(part);
        return shared != null && shared.path("type").asString("").equals("object");
    }

    private static void take(ObjectNode from, ObjectNode fields, Set<String> required, List<JsonNode> rules) {
        from.path("properties").forEachEntry(fields::set);
        from.path("required").forEach(name -> required.add(name.asString()));
        if (from.has("if")) {
            ObjectNode rule = Json.MAPPER.createObjectNode();
            List.of("if", "then", "else").forEach(part -> {
                if (from.has(part)) {
                    rule.set(part, from.get(part));
                }
            });
            rules.add(rule);
        }
    }

    private static ObjectNode state(List<JsonNode> rules, ObjectNode schema) {
        if (rules.size() == 1 && rules.getFirst().has("if")) {
            return schema.setAll((ObjectNode) rules.getFirst());
        }
        if (!rules.isEmpty()) {
            schema.put("if", true);
            ArrayNode all = schema.putObject("then").putArray("allOf");
            rules.forEach(all::add);
        }
        return schema;
    }

    private void nameObjectsOfOperations() {
        document.path("paths")
                .forEach(path -> path.forEach(operation -> {
                    String name = operation.path("operationId").asString("");
                    if (name.isEmpty()) {
                        return;
                    }
                    String capitalized = capitalized(name);
                    nameObjectsOfContent(operation.path("requestBody"), capitalized + "Request");
                    operation
                            .path("responses")
                            .forEach(response -> nameObjectsOfContent(response, capitalized + "Response"));
                }));
    }

    private void nameObjectsOfContent(JsonNode message, String name) {
        message.path("content").forEach(media -> {
            if (media.path("schema") instanceof ObjectNode schema) {
                ((ObjectNode) media).set("schema", named(schema, name));
            }
        });
    }

    /** Replaces inline objects of a schema by references to named schemas. */
    private void nameObjects(ObjectNode schema, String name) {
        if (schema.path("properties") instanceof ObjectNode fields) {
            List.copyOf(fields.propertyNames())
                    .forEach(field -> fields.set(field, named(fields.required(field), name + capitalized(field))));
        }
        for (String inner : List.of("items", "additionalProperties")) {
            if (schema.path(inner) instanceof ObjectNode of) {
                schema.set(inner, named(of, singular(name)));
            }
        }
        for (String combined : COMBINED) {
            if (schema.path(combined) instanceof ArrayNode parts) {
                for (int part = 0; part < parts.size(); part++) {
                    parts.set(part, named(parts.get(part), name));
                }
            }
        }
    }

    private JsonNode named(JsonNode schema, String name) {
        if (!(schema instanceof ObjectNode described) || described.has("$ref")) {
            return schema;
        }
        if (!described.has("properties")) {
            nameObjects(described, name);
            return described;
        }
        String unique = described.path("title").asString(name);
        described.remove("title");
        ObjectNode listed = listed(described);
        nameObjects(listed, unique);
        JsonNode same = schemas.get(unique);
        if (same != null && !same.equals(listed)) {
            throw new IllegalStateException(
                    "Two schemas of the API document would be named " + unique + "; give one of them a title.");
        }
        schemas.set(unique, listed);
        return Json.MAPPER.createObjectNode().put("$ref", REFERENCE + unique);
    }

    private Set<String> references() {
        return new TreeSet<>(document.findValuesAsString("$ref"));
    }

    // Schemas that only shared their fields, and rules that are now stated where they apply. Others stay, so that a
    // test
    // finds those that nothing uses.
    private void remove(Set<String> noLongerUsed) {
        noLongerUsed.stream()
                .filter(reference -> reference.startsWith(REFERENCE))
                .forEach(reference -> schemas.remove(reference.substring(REFERENCE.length())));
    }

    private static String capitalized(String name) {
        StringBuilder joined = new StringBuilder();
        for (String word : name.split("[_.-]", -1)) {
            if (!word.isEmpty()) {
                joined.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
            }
        }
        return joined.toString();
    }

    private static String singular(String name) {
        return name.endsWith("ies")
                ? name.substring(0, name.length() - 3) + "y"
                : name.endsWith("s") ? name.substring(0, name.length() - 1) : name;
    }
}
