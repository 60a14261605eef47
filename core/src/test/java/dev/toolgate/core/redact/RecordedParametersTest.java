package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RecordedParametersTest {
    private static final int BUDGET = 4096;
    private static final KeyedDigest DIGEST = new KeyedDigest(new byte[KeyedDigest.KEY_BYTES]);

    private final RecordedParameters parameters = new RecordedParameters(Redactor.standard(), DIGEST);

    private Masked<ObjectNode> recorded(ObjectNode arguments) {
        Masked<ObjectNode> recorded = parameters.of(arguments, new RecordedParameters.Limit(BUDGET, BUDGET));
        assertThat(recorded.value().toString().getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(BUDGET);
        return recorded;
    }

    @Test
    void short_arguments_stay_as_they_are() {
        ObjectNode arguments = Json.MAPPER.createObjectNode().put("path", "/a").put("n", 3);

        assertThat(recorded(arguments).value()).isEqualTo(arguments);
    }

    @Test
    void a_short_field_beside_a_long_one_is_recorded_completely() {
        String content = "line of text\n".repeat(700_000);
        ObjectNode arguments =
                Json.MAPPER.createObjectNode().put("content", content).put("path", "/project/notes.txt");

        ObjectNode recorded = recorded(arguments).value();

        assertThat(recorded.path("path").asString()).isEqualTo("/project/notes.txt");
        assertThat(recorded.path("content").asString())
                .startsWith("line of text\nline of text\n")
                .endsWith("[shortened: 9,100,000 characters, " + DIGEST.of(content) + "]");
    }

    @Test
    void many_fields_long_names_and_deep_values_fit_too() {
        ObjectNode many = Json.MAPPER.createObjectNode();
        for (int field = 0; field < 20_000; field++) {
            many.put("field-" + field, "value");
        }
        assertThat(recorded(many).value().path("...").asString())
                .contains("more fields of ", "characters of JSON, hmac-sha256:");

        ObjectNode named = Json.MAPPER.createObjectNode().put("n".repeat(1_000_000), "x");
        assertThat(recorded(named).value().toString()).contains("[shortened: 1,000,000 characters]");

        ObjectNode deep = Json.MAPPER.createObjectNode().put("path", "/deep");
        ObjectNode inner = deep;
        for (int level = 0; level < 400; level++) {
            inner = inner.putObject("inner").put("text", "x".repeat(1000));
        }
        assertThat(recorded(deep).value().path("path").asString()).isEqualTo("/deep");

        ObjectNode list = Json.MAPPER.createObjectNode();
        list.putArray("items").addAll(Json.MAPPER.createArrayNode());
        for (int item = 0; item < 50_000; item++) {
            list.withArray("/items").add("item " + item);
        }
        assertThat(recorded(list).value().toString()).contains("more items", "item 0");

        ObjectNode secrets = Json.MAPPER.createObjectNode();
        for (int field = 0; field < 250; field++) {
            secrets.put("token" + field, "x");
        }
        assertThat(recorded(secrets).value().toString()).contains("[redacted: 1 character]");

        ObjectNode wide = Json.MAPPER.createObjectNode();
        for (int field = 0; field < 100; field++) {
            wide.put("long" + field, "\u20ac\"".repeat(5000));
        }
        recorded(wide);
    }

    @Test
    void no_part_of_a_secret_is_recorded_wherever_the_text_is_cut() {
        String key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        for (int before = 3500; before < 4200; before++) {
            String text = "x".repeat(before - 1) + " " + key + " password=S3cretV4lue9x " + "y ".repeat(3000);
            String recorded = recorded(Json.MAPPER.createObjectNode().put("command", text))
                    .value()
                    .path("command")
                    .asString();

            assertThat(recorded).as("after %s", before).doesNotContain("ghp_", "S3cret");
        }
    }

    @Test
    void a_key_that_is_cut_before_its_end_is_masked() {
        String line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n";
        String text =
                "-----BEGIN PRIVATE KEY-----\n" + line.repeat(200) + "-----END PRIVATE KEY-----\n" + "z ".repeat(5000);

        assertThat(recorded(Json.MAPPER.createObjectNode().put("command", text))
                        .value()
                        .toString())
                .doesNotContain("MIIE", "VJTUt9");
    }

    @Test
    void the_digest_does_not_depend_on_field_order() {
        assertThat(DIGEST.of(Json.MAPPER.readTree("{\"a\": 1, \"b\": {\"d\": 2, \"c\": 3}}")))
                .isEqualTo(DIGEST.of(Json.MAPPER.readTree("{\"b\": {\"c\": 3, \"d\": 2}, \"a\": 1}")))
                .isNotEqualTo(DIGEST.of(Json.MAPPER.readTree("{\"b\": {\"c\": 3, \"d\": 2}, \"a\": 2}")))
                .startsWith("hmac-sha256:");
    }
}
