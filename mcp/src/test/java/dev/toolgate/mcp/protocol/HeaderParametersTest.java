package dev.toolgate.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HeaderParametersTest {
    private static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json.replace('\'', '"'));
    }

    private static List<HeaderParameters.Parameter> parameters(String schema) {
        return ((HeaderParameters.Valid) HeaderParameters.of(tree(schema))).parameters();
    }

    @Test
    void finds_annotations_at_any_depth_of_properties() {
        assertThat(parameters("{'properties': {'a': {'properties': {'b': "
                        + "{'type': 'string', 'x-mcp-header': 'Deep'}}}, 'c': {'type': 'string'}}}"))
                .containsExactly(new HeaderParameters.Parameter("Mcp-Param-Deep", List.of("a", "b")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'properties': {'a': {'type': 'string', 'x-mcp-header': ''}}}",
                "{'properties': {'a': {'type': 'string', 'x-mcp-header': 'a b'}}}",
                "{'properties': {'a': {'type': 'string', 'x-mcp-header': 'a\\r\\nb'}}}",
                "{'properties': {'a': {'type': 'string', 'x-mcp-header': 5}}}",
                "{'properties': {'a': {'type': 'number', 'x-mcp-header': 'A'}}}",
                "{'properties': {'a': {'type': 'object', 'x-mcp-header': 'A'}}}",
                "{'properties': {'a': {'type': 'string', 'x-mcp-header': 'A'}, "
                        + "'b': {'type': 'string', 'x-mcp-header': 'a'}}}",
                "{'properties': {'a': {'items': {'type': 'string', 'x-mcp-header': 'A'}}}}",
                "{'oneOf': [{'properties': {'a': {'type': 'string', 'x-mcp-header': 'A'}}}]}",
                "{'$defs': {'d': {'type': 'string', 'x-mcp-header': 'A'}}}",
                "{'x-mcp-header': 'A'}"
            })
    void refuses_schemas_that_break_a_rule(String schema) {
        assertThat(HeaderParameters.of(tree(schema))).isInstanceOf(HeaderParameters.Invalid.class);
    }

    @Test
    void a_property_may_have_the_name_of_the_annotation() {
        assertThat(parameters("{'properties': {'x-mcp-header': {'type': 'string'}}, 'default': {'x-mcp-header': 1}}"))
                .isEmpty();
    }

    @Test
    void writes_only_strings_integers_and_booleans() {
        HeaderParameters.Parameter parameter = new HeaderParameters.Parameter("h", List.of("a"));

        assertThat(parameter.value(tree("{'a': 'text'}"))).isEqualTo("text");
        assertThat(parameter.value(tree("{'a': -7}"))).isEqualTo("-7");
        assertThat(parameter.value(tree("{'a': 42.0}"))).isEqualTo("42");
        assertThat(parameter.value(tree("{'a': true}"))).isEqualTo("true");
        assertThat(parameter.value(tree("{'a': null}"))).isNull();
        assertThat(parameter.value(tree("{'a': 1.5}"))).isNull();
        assertThat(parameter.value(tree("{'a': 99999999999999999999}"))).isNull();
        assertThat(parameter.value(tree("{}"))).isNull();
        assertThat(parameter.value(tree("[]"))).isNull();
    }

    @Test
    void compares_integers_as_numbers() {
        HeaderParameters.Parameter parameter = new HeaderParameters.Parameter("h", List.of("a"));

        assertThat(parameter.matches("42.0", "42", tree("{'a': 42}"))).isTrue();
        assertThat(parameter.matches("43", "42", tree("{'a': 42}"))).isFalse();
        assertThat(parameter.matches("1e999999999", "42", tree("{'a': 42}"))).isFalse();
        assertThat(parameter.matches("42.0", "42", tree("{'a': '42'}"))).isFalse();
    }
}
