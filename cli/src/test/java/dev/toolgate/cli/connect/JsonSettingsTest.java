package dev.toolgate.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class JsonSettingsTest {
    private static final ObjectNode ENTRY = Json.MAPPER.createObjectNode().put("url", "http://127.0.0.1/mcp");

    private static String put(String text) throws IOException {
        return JsonSettings.put(text, "servers", "toolgate", ENTRY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  \n",
                "{}",
                "{ }",
                "{\"servers\": {}}",
                "{\"servers\": { }, \"a\": 1e400}",
                "{\"a\": [1, {\"servers\": 2}], \"b\": 0.10}",
                "{\"servers\": {\"other\": {\"url\": \"x\"}}}",
                "{\"servers\": {\"toolgate\": {\"url\": \"old\", \"headers\": {}}, \"other\": 1}}",
                "{\"servers\": {\"other\": 1, \"toolgate\": \"old\"}, \"z\": \"\\u0000\"}",
                "\uFEFF{\"servers\": {\"other\": 1}}"
            })
    void adds_the_entry_and_changes_nothing_else(String before) throws IOException {
        String after = put(before);

        JsonNode read = Json.MAPPER.readTree(after.replace("\uFEFF", ""));
        assertThat(read.path("servers").path("toolgate")).isEqualTo(ENTRY);
        String rest = before.replaceAll("\"toolgate\": (\\{.*?}}|\"old\"),? ?", "");
        for (String word : rest.split("[\\s{},]+")) {
            assertThat(after).contains(word);
        }
        assertThat(put(after)).isEqualTo(after);
    }

    @Test
    void keeps_comments_whitespace_and_order() throws IOException {
        String before = """
                // Servers of mine
                {
                \t"z": 1.0, /* first */
                \t"servers": {
                \t\t// the old one
                \t\t"other": {"command": "x",},
                \t},
                \t"a": "é\\u00e9", // last
                }
                """;

        String after = put(before);

        int from = after.indexOf("\n    \"toolgate\"");
        int to = after.indexOf("},", from) + 2;
        assertThat(after.substring(0, from) + after.substring(to)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{",
                "{} {}",
                "{\"servers\": []}",
                "{\"servers\": null}",
                "{\"servers\": {}, \"servers\": {}}",
                "hello"
            })
    void malformed_settings_are_refused(String wrong) {
        assertThatThrownBy(() -> put(wrong)).isInstanceOf(IOException.class).hasMessageStartingWith("i");
    }
}
