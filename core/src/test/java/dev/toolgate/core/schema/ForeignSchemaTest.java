package dev.toolgate.core.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.json.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Untrusted schemas: which ones are accepted, and that none causes unbounded work. */
class ForeignSchemaTest {
    private static final String TREE = """
            {"type": "object", "properties": {"name": {"type": "string"},
             "children": {"type": "array", "items": {"$ref": "#"}}}, "required": ["name"]}""";

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    private static Optional<String> problem(String schema) {
        return ForeignSchema.problem(json(schema));
    }

    private static Optional<String> validate(String schema, JsonNode value) {
        return ArgumentCheck.foreign(json(schema), "The result").validate(value);
    }

    @Test
    void a_recursive_schema_is_legal_and_ends_with_the_value() {
        assertThat(problem(TREE)).isEmpty();
        ObjectNode tree = json("{\"name\": \"leaf\"}");
        for (int level = 0; level < 150; level++) {
            ObjectNode parent = json("{\"name\": \"node\"}");
            parent.putArray("children").add(tree);
            tree = parent;
        }
        assertThat(validate(TREE, tree)).isEmpty();
        assertThat(validate(TREE, json("{\"name\": \"a\", \"children\": [{\"name\": 1}]}")))
                .contains("Field 'children.0.name' must be text, not a whole number.");
    }

    @Test
    void a_reference_that_leads_back_to_itself_is_refused() {
        String loop = "has a $ref that leads back to itself without end";
        assertThat(problem("{\"$ref\": \"#\"}")).contains(loop);
        assertThat(problem("{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"$ref\": \"#/$defs/b\"},"
                        + " \"b\": {\"$ref\": \"#/$defs/a\"}}}"))
                .contains(loop);
        assertThat(problem("{\"properties\": {\"x\": {\"anyOf\": [{\"type\": \"string\"},"
                        + " {\"not\": {\"$ref\": \"#/properties/x\"}}]}}}"))
                .contains(loop);
        assertThat(problem("{\"$defs\": {\"a\": {\"$anchor\": \"me\", \"allOf\": [{\"$ref\": \"#me\"}]}}}"))
                .contains(loop);
    }

    @Test
    void references_stay_inside_the_schema() {
        assertThat(problem("{\"properties\": {\"a\": {\"$ref\": \"http://127.0.0.1:1/x.json\"}}}"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("refers to another document"));
        assertThat(problem("{\"properties\": {\"a\": {\"$ref\": \"file:///etc/passwd\"}}}"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("refers to another document"));
        assertThat(problem("{\"properties\": {\"a\": {\"$ref\": \"#/$defs/none\"}}}"))
                .contains("refers to '#/$defs/none', where there is no schema");
        assertThat(problem("{\"properties\": {\"a\": {\"$id\": \"http://elsewhere/\", \"$ref\": \"#\"}}}"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("$id of its own"));
    }

    @Test
    void what_only_looks_like_a_reference_is_accepted() {
        assertThat(problem("{\"properties\": {\"$ref\": {\"type\": \"string\"}, \"$id\": {\"type\": \"string\"}},"
                        + " \"default\": {\"$ref\": \"http://elsewhere/\"}}"))
                .isEmpty();
    }

    @Test
    void draft_07_and_2020_12_are_validated_by_their_own_rules() {
        String tuple = "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"type\": \"object\","
                + " \"properties\": {\"pair\": {\"items\": [{\"type\": \"string\"}], \"additionalItems\": false}},"
                + " \"definitions\": {\"n\": {\"$id\": \"#n\", \"type\": \"number\"}}}";
        assertThat(validate(tuple, json("{\"pair\": [\"a\"]}"))).isEmpty();
        assertThat(validate(tuple, json("{\"pair\": [\"a\", 2]}"))).isPresent();
        String modern = "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\","
                + " \"properties\": {\"pair\": {\"prefixItems\": [{\"type\": \"string\"}], \"items\": false}}}";
        assertThat(validate(modern, json("{\"pair\": [\"a\"]}"))).isEmpty();
        assertThat(validate(modern, json("{\"pair\": [\"a\", 2]}"))).isPresent();
        assertThat(problem("{\"$schema\": \"http://127.0.0.1:1/own\"}"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("dialect"));
    }

    @Test
    void every_accepted_dialect_can_be_validated() {
        for (String dialect : List.of("draft-07", "draft/2019-09", "draft/2020-12")) {
            for (String scheme : List.of("http:", "https:", "", "HTTP:", "ftp:", "urn:")) {
                for (String end : List.of("", "#", "##", "/", "?")) {
                    String schema = "{\"$schema\": \"" + scheme + "//json-schema.org/" + dialect + "/schema" + end
                            + "\", \"type\": \"object\", \"required\": [\"a\"]}";
                    boolean isKnown = scheme.startsWith("http") && end.length() < 2 && "#".contains(end);
                    assertThat(problem(schema).isEmpty()).as(schema).isEqualTo(isKnown);
                    if (isKnown) {
                        assertThat(validate(schema, json("{}"))).as(schema).contains("Missing required field: a.");
                    }
                }
            }
        }
        for (String other : List.of("\"json-schema.org/draft-07/schema\"", "\"\"", "7", "null", "{}")) {
            assertThat(problem("{\"$schema\": " + other + "}")).as(other).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"propertyNames\": \"x\"",
                "\"unevaluatedProperties\": null",
                "\"unevaluatedItems\": 5",
                "\"not\": []",
                "\"properties\": {\"a\": {\"$schema\": \"json-schema.org/draft-07/schema\"}}"
            })
    void a_schema_that_the_validator_cannot_read_is_refused(String keyword) {
        String schema = "{\"type\": \"object\", " + keyword + "}";
        assertThat(problem(schema))
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("is not valid: "));
        assertThatThrownBy(() -> new ForeignSchema(json(schema))).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"$dynamicRef\": [1]", "\"properties\": {\"a\": {\"$dynamicRef\": \"#\"}}"})
    void a_value_is_refused_if_the_validator_cannot_use_a_keyword(String keyword) {
        String schema = "{\"required\": [\"a\"], " + keyword + "}";
        assertThat(problem(schema)).isEmpty();
        assertThat(validate(schema, json("{\"a\": 1}")))
                .contains("The result cannot be checked because the schema is not valid.");
    }

    @Test
    void errors_show_any_value_of_the_schema() {
        assertThat(validate("{\"enum\": [{\"a\": 2}, [3], null, 4]}", json("{\"a\": 1}")))
                .contains("The result must be one of {\"a\":2}, [3], null, 4.");
        assertThat(validate("{\"type\": {\"a\": 1}}", json("{\"a\": 1}")))
                .hasValueSatisfying(problem -> assertThat(problem).contains("{\"a\":1}"));
        assertThat(validate("{\"type\": [\"string\", [1]]}", json("{\"a\": 1}")))
                .hasValueSatisfying(problem -> assertThat(problem).contains("text or [1]"));
    }

    @Test
    void references_into_definitions_are_followed() {
        String schema = "{\"$id\": \"https://example.com/tool\", \"properties\": {\"a\": {\"$ref\": \"#/$defs/x~1y\"}},"
                + " \"$defs\": {\"x/y\": {\"type\": \"integer\"}}}";
        assertThat(validate(schema, json("{\"a\": 1}"))).isEmpty();
        assertThat(validate(schema, json("{\"a\": \"1\"}"))).contains("Field 'a' must be a whole number, not text.");
    }

    @Test
    void large_and_deep_schemas_are_refused() {
        ObjectNode deep = json("{}");
        for (int level = 0; level < 200; level++) {
            ObjectNode outer = json("{}");
            outer.set("not", deep);
            deep = outer;
        }
        assertThat(ForeignSchema.problem(deep)).contains("is nested deeper than 100 levels");
        ObjectNode wide = json("{}");
        ArrayNode values = wide.putArray("enum");
        for (int i = 0; i < 60_000; i++) {
            values.add(i);
        }
        assertThat(ForeignSchema.problem(wide))
                .hasValueSatisfying(problem -> assertThat(problem).contains("larger"));
        assertThatThrownBy(() -> new ForeignSchema(wide)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void validation_of_exponential_cost_is_aborted() {
        String doubling = "{\"properties\": {\"a\": {\"allOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}}}";
        assertThat(problem(doubling)).isEmpty();
        ObjectNode value = json("{}");
        for (int level = 0; level < 100; level++) {
            ObjectNode outer = json("{}");
            outer.set("a", value);
            value = outer;
        }
        assertThat(validate(doubling, value))
                .contains("The result cannot be checked within the limits: the schema needs too many steps for it.");
    }

    @Test
    void a_pattern_of_exponential_cost_is_aborted() {
        String schema = "{\"properties\": {\"a\": {\"pattern\": \"^(a|a)+\\\\1b$\"}}}";
        assertThat(validate(schema, json("{\"a\": \"aaab\"}"))).isEmpty();
        assertThat(validate(schema, Json.MAPPER.createObjectNode().put("a", "a".repeat(60))))
                .hasValueSatisfying(problem -> assertThat(problem).contains("cannot be checked within the limits"));
    }

    @Test
    void a_pattern_of_another_regex_dialect_is_ignored() {
        assertThat(validate("{\"properties\": {\"a\": {\"pattern\": \"[^]\\\\u{1F600}(\"}}}", json("{\"a\": \"b\"}")))
                .isEmpty();
    }

    @Test
    void formats_are_not_validated() {
        assertThat(validate(
                        "{\"$schema\": \"http://json-schema.org/draft-07/schema#\","
                                + " \"properties\": {\"a\": {\"format\": \"email\"}}}",
                        json("{\"a\": \"no address\"}")))
                .isEmpty();
    }
}
