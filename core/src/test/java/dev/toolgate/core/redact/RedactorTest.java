package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.toolgate.core.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class RedactorTest {
    private final Redactor redactor = Redactor.standard();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AKIAIOSFODNN7EXAMPLE",
                "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
                "github_pat_11ABCDEFG0abcdefghijklmnop",
                "sk-ant-api03-abcdefghijklmnop",
                "xoxb-123456789012-abcdefghijkl",
                "tg_abcdefghijklmnopqrstuv",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
            })
    void well_known_key_formats_are_masked(String key) {
        assertThat(redactor.clean("curl -H 'X: " + key + "' somewhere"))
                .doesNotContain(key)
                .contains("curl")
                .contains("somewhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer abcdef123456",
                "https://user:abcdef123456@example.com/x",
                "mysql --password=abcdef123456 -u root",
                "authorization: bearer  abcdef123456",
                "curl -H 'Authorization: token abcdef123456' example.com",
                "curl -H \"X-Api-Key: abcdef123456\" example.com",
                "curl -b x -H 'Cookie: session=abcdef123456' example.com",
                "curl -u alice:abcdef123456 example.com",
                "https://example.com/?page=1&access_token=abcdef123456&x=y",
                "https://example.com/?client_secret=abcdef123456",
                "export DB_PASSWORD=abcdef123456",
                "export DB_PASSWORD='long phrase abcdef123456'",
                "DJANGO_SECRET_KEY = \"it's abcdef123456\"",
                "{\"user\":\"bob\",\"password\":\"abcdef123456\"}",
                "{\"user\":\"bob\",\"password\" : \"abcdef123456\"}",
                "{\"inner\":\"{\\\"api_key\\\": \\\"abcdef123456\\\"}\"}",
                "vault login --token abcdef123456",
                "-----BEGIN RSA PRIVATE KEY-----\nabcdef123456\n-----END RSA PRIVATE KEY-----",
            })
    void secrets_in_common_contexts_are_masked(String text) {
        assertThat(redactor.clean(text)).doesNotContain("abcdef123456").contains(Redactor.MASK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git clone https://%s:x-oauth-basic@github.com/a/b",
                "-----BEGIN PRIVATE KEY-----\nNote: %s \nMIIEvQIBADANBg1k\n-----END PRIVATE KEY-----",
                "curl -u %s:abcdef123456 https://example.com",
                "Authorization: Digest username=%s, response=abcdef123456"
            })
    void a_key_between_other_secrets_is_masked_as_well(String text) {
        String key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        assertThat(Redactor.standard().record(text.formatted(key)).value()).doesNotContain(key);
    }

    @Test
    void values_under_sensitive_names_are_masked_at_any_depth() {
        ObjectNode clean = redactor.clean(
                (ObjectNode) Json.MAPPER.readTree("{\"headers\":{\"Authorization\":\"abc\",\"Accept\":\"json\"},"
                        + "\"list\":[{\"db_password\":{\"a\":1}}],\"apiKey\":7,\"path\":\"/src\"}"));

        assertThat(clean)
                .hasToString(
                        "{\"headers\":{\"Authorization\":\"[redacted]\",\"Accept\":\"json\"},"
                                + "\"list\":[{\"db_password\":{\"a\":\"[redacted]\"}}],\"apiKey\":\"[redacted]\",\"path\":\"/src\"}");
    }

    @Test
    void ordinary_text_stays_as_it_is() {
        String text = "The task-sk in src/main/token.py keyed by monkey; see https://example.com:8080/a@b";

        assertThat(redactor.clean(text)).isEqualTo(text);
    }

    @Test
    void known_secrets_are_masked_even_in_results() {
        assertThat(redactor.withSecrets(Set.of("plain-looking")).hideKnown("it is plain-looking!"))
                .isEqualTo("it is [redacted]!");
    }

    @Test
    void a_header_written_as_name_and_value_is_masked() {
        ObjectNode clean = redactor.clean(
                (ObjectNode)
                        Json.MAPPER.readTree(
                                "{\"headers\":[{\"name\":\"Authorization\",\"value\":\"abc\"},{\"name\":\"Accept\",\"value\":\"json\"}]}"));

        assertThat(clean)
                .hasToString("{\"headers\":[{\"name\":\"Authorization\",\"value\":\"[redacted]\"},"
                        + "{\"name\":\"Accept\",\"value\":\"json\"}]}");
    }

    @Test
    void overlapping_known_secrets_are_masked_completely() {
        assertThat(redactor.withSecrets(Set.of("abc", "abcdefgh", "abcd", "abcdefg"))
                        .hideKnown("<abcdefgh>"))
                .isEqualTo("<[redacted]>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eyJ-",
                "eyJaaaaaaaa.",
                "token=\"",
                "token='\\",
                "password",
                "--token",
                "----",
                "://a:",
                "bearer ",
                "-----BEGIN PRIVATE KEY",
                "-----BEGIN A",
                "-u a:",
                "cookie:",
                "ghp_",
                "xoxb-",
                "\\",
                "secret=\\\\\""
            })
    void a_long_hostile_text_is_redacted_in_linear_time(String part) {
        String hostile = part.repeat(1_000_000 / part.length()) + " token password secret cookie eyj private key ://";

        // Quadratic work would take many minutes here, linear work a fraction of a second.
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> redactor.clean(hostile));
    }

    @Test
    void hides_configured_names_and_patterns() {
        Redactor own = Redactor.standard().alsoHiding(Set.of("iban"), List.of(Pattern.compile("CASE-[0-9]{4}")));
        ObjectNode object = Json.MAPPER.createObjectNode();
        object.put("IBAN", "DE00").put("note", "see CASE-1234").put("password", "hunter2");

        assertThat(own.clean(object).toString())
                .isEqualTo("{\"IBAN\":\"[redacted]\",\"note\":\"see [redacted]\",\"password\":\"[redacted]\"}");
    }

    @Test
    void switched_off_it_still_hides_known_secrets() {
        Redactor off = Redactor.knownSecretsOnly().withSecrets(Set.of("the-admin-key"));
        ObjectNode object = Json.MAPPER.createObjectNode();
        object.put("password", "hunter2").put("note", "key is the-admin-key");

        assertThat(off.clean(object).toString()).isEqualTo("{\"password\":\"hunter2\",\"note\":\"key is [redacted]\"}");
    }
}
