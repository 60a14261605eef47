package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import java.util.Base64;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** An agent tries to hide commands where secrets are masked; approvers must see them. */
class HiddenCommandsTest {
    private static final String COMMAND = "run-evil";

    private final Redactor redactor = Redactor.standard();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN PRIVATE KEY-----\nrun-evil | sh\nrm -rf /",
                "-----BEGIN PRIVATE KEY-----\nrun-evil\n-----END PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAbCdEfGh0123456789AbCdEfGh0123456789AbCdEfGh\nrun-evil /home\n",
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nrun-evil\n-----END RSA PRIVATE KEY-----",
                "password=\"$(run-evil)\"",
                "password='`run-evil`'",
                "password=\"x; run-evil\"",
                "password=\"\nrun-evil\n\"",
                "token=$(run-evil)",
                "token=abcd;run-evil",
                "token=abcd|run-evil",
                "token=abcd&&run-evil",
                "token=`run-evil`",
                "secret=${X:-$(run-evil)}",
                "echo 'x password='; run-evil /home #'",
                "echo 'x password=';run-evil;'",
                "# don't\necho 'x password='; run-evil /home #'",
                "cat 'x password=' /etc/run-evil '",
                "cat 'x password=' --run-evil '",
                "Cookie: a=b; run-evil /home",
                "curl -H 'Cookie: a=b'; run-evil",
                "Authorization: x; run-evil /home",
                "Authorization: Bearer $(run-evil)",
                "Authorization: Bearer /tmp/run-evil",
                "A=basic /tmp/run-evil",
                "x | bearer\n/tmp/run-evil --all",
                "basic ./run-evil --all",
                "curl http://a:$(run-evil)@example.com",
                "curl http://a:x;run-evil@example.com",
                "curl -u a:x;run-evil",
                "curl -u a:/tmp/run-evil",
                "mysql --password /tmp/run-evil",
                "mysql --password --run-evil",
                "mysql --password\nrun-evil",
                "ghp_abcdefghijklmnopqrstuvwxyz0123456789 run-evil",
                "sk-abcdefghijklmnopqrst;run-evil",
                "{\"password\":\"a\nrun-evil\"}",
            })
    void a_command_beside_a_secret_stays_visible(String text) {
        assertThat(redactor.mask(text).value()).contains(COMMAND);
        assertThat(redactor.record(text).value()).contains(COMMAND);
    }

    @Test
    void masking_is_bounded_by_the_length_of_a_secret() {
        for (String beginning : new String[] {
            "password=",
            "token: ",
            "--api-key ",
            "Authorization: Bearer ",
            "Cookie: a=",
            "ghp_",
            "sk-",
            "xoxb-",
            "tg_",
            "https://user:",
            "bearer ",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.",
            "-----BEGIN PRIVATE KEY-----\n"
        }) {
            Masked<String> masked = redactor.mask(beginning + "aB3".repeat(20_000));

            assertThat(masked.characters()).as(beginning).isLessThanOrEqualTo(16 * 1024);
            assertThat(masked.value().length()).as(beginning).isGreaterThan(40_000);
        }
    }

    @Test
    void a_long_text_under_a_sensitive_name_is_not_masked() {
        ObjectNode arguments = Json.MAPPER.createObjectNode().put("token", "echo hello\n".repeat(100) + COMMAND);

        assertThat(redactor.mask(arguments).value().toString()).contains(COMMAND);
    }

    @Test
    void a_real_key_is_masked_and_counted_with_and_without_its_end() {
        byte[] random = new byte[1200];
        new Random(11).nextBytes(random);
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(random);
        String key = "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n";

        Masked<String> whole = redactor.mask("cat <<E\n" + key + "E\n");
        Masked<String> cutOff = redactor.mask(key.substring(0, key.length() - 60));

        assertThat(whole.value()).isEqualTo("""
                        cat <<E
                        -----BEGIN PRIVATE KEY-----
                        [redacted: 1,624 characters]
                        -----END PRIVATE KEY-----
                        E
                        """);
        assertThat(whole.characters()).isEqualTo(1624);
        for (String line : body.split("\n")) {
            assertThat(cutOff.value()).doesNotContain(line);
        }
    }

    @Test
    void placeholders_state_how_much_is_masked() {
        ObjectNode arguments = Json.MAPPER.createObjectNode().put("command", "mysql --password=hunter22 -u root");
        arguments.putObject("headers").put("Authorization", "Bearer abc");

        Masked<ObjectNode> masked = redactor.mask(arguments);

        assertThat(masked.value())
                .hasToString("{\"command\":\"mysql --password=[redacted: 8 characters] -u root\","
                        + "\"headers\":{\"Authorization\":\"[redacted: 10 characters]\"}}");
        assertThat(masked.characters()).isEqualTo(18);
        assertThat(redactor.mask("x password=hunter22").value())
                .isEqualTo(redactor.mask(redactor.mask("x password=hunter22").value())
                        .value());
    }

    @Test
    void a_pattern_that_takes_too_long_masks_the_whole_text() {
        Redactor own = redactor.alsoHiding(Set.of(), Set.of(java.util.regex.Pattern.compile("(a+)+b")));

        Masked<String> masked = own.mask("a".repeat(5_000));

        assertThat(masked.value()).isEqualTo("[redacted: 5,000 characters]");
        assertThat(own.mask("see aab").value()).isEqualTo("see [redacted: 3 characters]");
    }
}
