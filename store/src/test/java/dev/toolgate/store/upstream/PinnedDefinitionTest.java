package dev.toolgate.store.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.json.Json;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class PinnedDefinitionTest {
    private static final String TOOL = """
            {"name": "read", "description": "Reads.", "inputSchema": {"type": "object", "properties": {"n": {"maximum": 1}}},
             "annotations": {"readOnlyHint": true}}""";

    @Test
    void the_order_of_fields_and_the_form_of_numbers_do_not_matter() {
        String same = """
                {"annotations": {"readOnlyHint": true}, "inputSchema": {"properties": {"n": {"maximum": 1.0}},
                 "type": "object"}, "description": "Reads.", "name": "read", "_meta": {"time": 1}}""";

        assertThat(of(same).hash()).isEqualTo(of(TOOL).hash());
        assertThat(of(same).json().has("_meta")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Reads", "\"object\"", "1}", "true", "\"n\"", "read\""})
    void every_part_that_agents_see_is_in_the_hash(String part) {
        String other = TOOL.replace(
                part,
                switch (part) {
                    case "1}" -> "2}";
                    case "true" -> "false";
                    case "\"object\"" -> "\"array\"";
                    case "\"n\"" -> "\"m\"";
                    case "read\"" -> "reed\"";
                    default -> "Reads\u200b";
                });

        assertThat(of(other).hash()).isNotEqualTo(of(TOOL).hash());
    }

    @Test
    void a_number_that_cannot_be_read_again_is_rejected() {
        ObjectNode hostile = json(TOOL);
        ((ObjectNode) hostile.at("/inputSchema/properties/n")).put("maximum", new BigDecimal("9".repeat(998) + "e99"));

        assertThat(PinnedDefinition.of(hostile)).isEmpty();
    }

    @Test
    void a_definition_that_cannot_be_stored_exactly_is_rejected() {
        for (String bad : List.of(
                "{}",
                "{\"name\": 1}",
                "{\"name\": \" \"}",
                "{\"name\": \"" + "x".repeat(129) + "\"}",
                "{\"name\": \"a\", \"description\": \"\\u0000\"}",
                "{\"name\": \"a\", \"description\": \"\\ud800\"}",
                "{\"name\": \"a\", \"inputSchema\": {\"\\u0000\": 1}}",
                "{\"name\": \"a\", \"description\": \"" + "x".repeat(PinnedDefinition.MAX_LENGTH) + "\"}")) {
            assertThat(PinnedDefinition.of(json(bad)))
                    .as(bad.substring(0, Math.min(60, bad.length())))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a__b", "-a", "a_", "a b", "a.b", "ä", "abcdefghijklmnopqrstuvwxyz1234567"})
    void an_ambiguous_server_name_is_rejected(String name) {
        assertThatThrownBy(() -> new ServerName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "GitHub", "my_files-2", "abcdefghijklmnopqrstuvwxyz123456"})
    void a_plain_server_name_is_accepted(String name) {
        assertThat(new ServerName(name).value()).isEqualTo(name);
    }

    private static PinnedDefinition of(String json) {
        return PinnedDefinition.of(json(json)).orElseThrow();
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }
}
