package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownSecretsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private final KnownSecrets known = new KnownSecrets();
    private final Redactor redactor =
            Redactor.standard().withSecrets(Set.of("fixed-one")).withKnownSecrets(known);

    @Test
    void a_secret_is_hidden_once_handed_out() {
        assertThat(redactor.hideKnown("it is plain-looking")).contains("plain-looking");

        known.learn(ACME, "plain-looking");

        assertThat(redactor.hideKnown("it is plain-looking, fixed-one")).isEqualTo("it is [redacted], [redacted]");
        assertThat(redactor.clean("it is plain-looking")).isEqualTo("it is [redacted]");
        assertThat(redactor.knowsSecrets()).isTrue();
    }

    @Test
    void masking_does_not_confirm_guesses_of_another_tenants_secret() {
        known.learn(ACME, "plain-looking-but-long");

        assertThat(redactor.of(OTHER).hideKnown("plain-looking-but-long")).isEqualTo("plain-looking-but-long");
        assertThat(redactor.of(OTHER).clean("plain-looking-but-long")).isEqualTo("plain-looking-but-long");
        assertThat(redactor.of(ACME).hideKnown("plain-looking-but-long")).isEqualTo("[redacted]");
        assertThat(redactor.hideKnown("plain-looking-but-long")).as("logs").isEqualTo("[redacted]");
    }

    @Test
    void a_secret_that_can_be_guessed_is_hidden_in_logs_and_not_in_results() {
        known.learn(ACME, "hunter2222");

        assertThat(redactor.clean("it is hunter2222")).as("logs").isEqualTo("it is [redacted]");
        assertThat(redactor.of(ACME).hideKnown("it is hunter2222")).isEqualTo("it is hunter2222");
    }

    @Test
    void a_secret_that_starts_with_another_is_hidden_completely() {
        known.learn(ACME, "longer");
        known.learn(ACME, "longer-still");

        assertThat(redactor.hideKnown("longer-still and longer")).isEqualTo("[redacted] and [redacted]");
    }

    @Test
    void short_secrets_are_not_hidden_and_the_oldest_are_dropped() {
        known.learn(ACME, "short");
        assertThat(redactor.hideKnown("a short text")).isEqualTo("a short text");

        for (int i = 0; i <= KnownSecrets.MAX_PER_TENANT; i++) {
            known.learn(ACME, "secret-number-" + i + ";");
        }
        assertThat(known.of(ACME).everything().secrets()).hasSizeLessThanOrEqualTo(KnownSecrets.MAX_PER_TENANT);
        assertThat(redactor.hideKnown("secret-number-" + KnownSecrets.MAX_PER_TENANT + ";"))
                .isEqualTo("[redacted]");
    }

    @Test
    void secrets_of_a_server_are_hidden_in_its_results_and_in_logs_only() {
        known.learn(ACME, "plain-looking-but-long");
        for (int i = 0; i <= KnownSecrets.MAX_PER_SERVER; i++) {
            known.learn(ACME, "wiki", "token-of-the-wiki-number-" + i + ";");
        }
        String token = "token-of-the-wiki-number-" + KnownSecrets.MAX_PER_SERVER + ";";

        assertThat(redactor.ofServer(ACME, "wiki").hideKnown(token)).isEqualTo("[redacted]");
        assertThat(redactor.ofServer(ACME, "wiki").hideKnown("plain-looking-but-long"))
                .as("the tenant's own")
                .isEqualTo("[redacted]");
        assertThat(redactor.hideKnown(token)).as("logs").isEqualTo("[redacted]");
        assertThat(redactor.ofServer(ACME, "mail").hideKnown(token)).isEqualTo(token);
        assertThat(redactor.of(ACME).hideKnown(token)).isEqualTo(token);
        assertThat(redactor.ofServer(OTHER, "wiki").hideKnown(token)).isEqualTo(token);
        assertThat(known.of(ACME, "wiki").everything().secrets()).hasSize(KnownSecrets.MAX_PER_SERVER);
        assertThat(redactor.of(ACME)
                        .mask("a Token-Of-The-Wiki-Number-0000 there")
                        .value())
                .as("words of the same shape")
                .contains("Token-Of-The-Wiki");
    }

    @Test
    void a_late_known_secret_leaves_no_earlier_one_unmasked() {
        Redactor redactor = Redactor.standard().withSecrets(Set.of("admin-key-of-a-test-0123456789"));

        assertThat(redactor.clean("password=hunter2-of-a-test and ghp_a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6"
                        + " with admin-key-of-a-test-0123456789"))
                .isEqualTo("password=[redacted] and [redacted] with [redacted]");
    }
}
