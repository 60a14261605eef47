package dev.toolgate.core.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Nulls that models send for omitted arguments are dropped, and those that a schema allows are kept. */
class NullArgumentsTest {
    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    @Test
    void null_is_kept_only_where_it_is_a_value() {
        ToolSpec<ObjectNode> spec =
                ToolSpec.of("server/tool", ArgumentType.json(json("""
                        {"properties": {"one": {"type": ["string", "null"]}, "two": {"type": "string"},
                         "three": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "required": ["one"]}""")), Category.MCP, "Mcp.Invoke", "Does something");

        ObjectNode complete = spec.complete("server/tool", json("{\"one\": null, \"two\": null, \"three\": null}"));

        assertThat(complete).isEqualTo(json("{\"one\": null, \"three\": null}"));
        assertThat(spec.arguments().validate(complete)).isEmpty();
    }
}
