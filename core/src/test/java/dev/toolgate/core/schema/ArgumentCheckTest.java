package dev.toolgate.core.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ArgumentType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class ArgumentCheckTest {
    record Arguments(
            @Param(value = "Where", minLength = 1) String path,

            @Param(value = "How long", min = 1, max = 600, defaultValue = "60") @Nullable
            Integer timeout,

            @Param(
                    value = "How",
                    oneOf = {"fast", "slow"})
            @Nullable
            String pace,

            @Param("Whether") @Nullable Boolean really,
            @Param("Extra") @Nullable Map<String, String> headers,
            @Param("Marks") @Nullable List<String> tags) {}

    private static final ArgumentType<Arguments> TYPE = ArgumentType.of(Arguments.class);

    @Test
    void the_schema_comes_from_the_record() {
        ObjectNode schema = TYPE.schema();

        assertThat(schema.path("type").asString()).isEqualTo("object");
        assertThat(schema.path("required")).hasSize(1);
        assertThat(schema.path("required").path(0).asString()).isEqualTo("path");
        assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
        assertThat(schema.path("properties").propertyNames())
                .containsExactly("path", "timeout", "pace", "really", "headers", "tags");
        ObjectNode timeout = (ObjectNode) schema.path("properties").path("timeout");
        assertThat(timeout.path("type").asString()).isEqualTo("integer");
        assertThat(timeout.path("description").asString()).isEqualTo("How long");
        assertThat(timeout.path("minimum").asInt()).isEqualTo(1);
        assertThat(timeout.path("maximum").asInt()).isEqualTo(600);
        assertThat(timeout.path("default").asInt()).isEqualTo(60);
        assertThat(schema.path("properties")
                        .path("headers")
                        .path("additionalProperties")
                        .path("type")
                        .asString())
                .isEqualTo("string");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | Missing required field: path.",
                "{\"path\": 5} | Field 'path' must be text, not a whole number.",
                "{\"path\": null} | Field 'path' must be text, not null.",
                "{\"path\": \"\"} | Field 'path' must not be empty.",
                "{\"path\": \"a\", \"timeout\": \"x\"} | Field 'timeout' must be a whole number, not text.",
                "{\"path\": \"a\", \"timeout\": 1.5} | Field 'timeout' must be a whole number, not a number with a fraction.",
                "{\"path\": \"a\", \"timeout\": 0} | Field 'timeout' must be at least 1.",
                "{\"path\": \"a\", \"timeout\": 601} | Field 'timeout' must be at most 600.",
                "{\"path\": \"a\", \"pace\": \"medium\"} | Field 'pace' must be one of fast, slow.",
                "{\"path\": \"a\", \"headers\": {\"X\": 1}} | Field 'headers.X' must be text, not a whole number.",
                "{\"path\": \"a\", \"tags\": [\"b\", 2]} | Field 'tags.1' must be text, not a whole number.",
            })
    void reports_what_is_wrong_in_plain_words(String json, String sentence) {
        assertThat(TYPE.validate((ObjectNode) Json.MAPPER.readTree(json))).contains(sentence);
    }

    @Test
    void an_unknown_field_is_named_together_with_the_known_ones() {
        ObjectNode json = Json.MAPPER.createObjectNode().put("path", "a").put("pth", "b");

        assertThat(TYPE.validate(json).orElseThrow())
                .contains("Unknown field 'pth'")
                .contains("timeout");
    }

    @Test
    void good_arguments_become_the_record() {
        ObjectNode json = Json.MAPPER.createObjectNode().put("path", "a").put("timeout", 5);

        assertThat(TYPE.validate(json)).isEmpty();
        assertThat(TYPE.decode(json)).isEqualTo(new Arguments("a", 5, null, null, null, null));
    }
}
