package dev.toolgate.cli.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class JsonHooksTest {
    private static final Predicate<JsonNode> OURS = entry -> entry.has("ours");
    private static final ObjectNode EMPTY = Json.MAPPER.createObjectNode().put("version", 1);

    private static ObjectNode ours(int version) {
        return Json.MAPPER.createObjectNode().put("ours", version);
    }

    private static String put(String text, int version) throws IOException {
        String once = JsonHooks.put(text, "before", ours(version), OURS, EMPTY);
        return JsonHooks.put(once, "after", ours(version), OURS, EMPTY);
    }

    private static String removed(String text) throws IOException {
        return JsonHooks.remove(JsonHooks.remove(text, "after", OURS), "before", OURS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"model\": \"x\"}",
                "{\n  \"model\": \"x\", // mine\n  \"n\": 12\n}\n",
                "{\"hooks\": {\"stop\": [{\"a\": 1}]}, \"last\": true}",
                "{\"hooks\": {\"before\": [{\"a\": 1}, {\"b\": [1, 2]}]}}",
                "{\"hooks\": {\"before\": [\n    {\"a\": 1} // one\n  ]\n}\n}",
                "{\"hooks\": {\"before\": [{\"a\": 1},], \"after\": [{\"c\": \"]}\"}]},}",
                "{ /* all */ \"hooks\" : {\"before\":[{\"a\":\"\\\"\"}] , \"x\" : [] } }\r\n"
            })
    void an_entry_is_added_once_and_removing_it_restores_the_text(String text) throws IOException {
        String installed = put(text, 1);
        String replaced = put(installed, 2);

        assertThat(put(installed, 1)).isEqualTo(installed);
        assertThat(replaced).contains("\"ours\" : 2").doesNotContain("\"ours\" : 1");
        assertThat(JsonHooks.entry(replaced, "before", OURS)).isEqualTo(ours(2));
        assertThat(removed(installed)).isEqualTo(text);
        assertThat(removed(replaced)).isEqualTo(text);
    }

    @Test
    void entries_are_appended_so_that_others_keep_their_position() throws IOException {
        String installed = put("{\"hooks\": {\"before\": [{\"a\": 1}, {\"b\": 2}]}}", 1);

        assertThat(JsonHooks.index(installed, "before", OURS)).isEqualTo(2);
        assertThat(JsonHooks.index(installed, "after", OURS)).isZero();
        assertThat(JsonHooks.index(installed, "never", OURS)).isEqualTo(-1);
    }

    @Test
    void missing_settings_are_created_and_are_empty_after_removal() throws IOException {
        String made = put("", 1);

        assertThat(Json.MAPPER.readTree(made).path("version").asInt()).isEqualTo(1);
        assertThat(JsonHooks.isEmpty(removed(made), EMPTY)).isTrue();
        assertThat(JsonHooks.isEmpty("{\"version\": 1, \"x\": 2}", EMPTY)).isFalse();
        assertThat(removed("")).isEmpty();
    }

    @Test
    void a_later_entry_of_another_program_is_kept() throws IOException {
        String installed = put("{}", 1);
        String other = JsonHooks.put(
                installed, "before", Json.MAPPER.createObjectNode().put("b", 1), x -> x.has("b"), EMPTY);

        assertThat(Json.MAPPER.readTree(removed(other)))
                .isEqualTo(Json.MAPPER.readTree("{\"hooks\": {\"before\": [{\"b\": 1}]}}"));
    }

    @Test
    void malformed_settings_are_not_changed() {
        for (String text : List.of("[]", "{", "{} {}", "hello", "{\"hooks\": []}", "{\"hooks\": {\"before\": {}}}")) {
            assertThatThrownBy(() -> put(text, 1)).as(text).isInstanceOf(IOException.class);
        }
    }
}
