package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
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
        assertThat(known.of(ACME).finder().secrets()).hasSizeLessThanOrEqualTo(KnownSecrets.MAX_PER_TENANT);
        assertThat(redactor.hideKnown("secret-number-" + KnownSecrets.MAX_PER_TENANT + ";"))
                .isEqualTo("[redacted]");
    }

    @Test
    void secrets_of_a_server_are_hidden_in_its_results_and_in_logs_only() {
        known.learn(ACME, "plain-looking-but-long");
        String token = "token-of-the-wiki-number-1000;";
        known.learn(ACME, "wiki", "ann", List.of(token));

        assertThat(redactor.ofServer(ACME, "wiki").hideKnown(token)).isEqualTo("[redacted]");
        assertThat(redactor.ofServer(ACME, "wiki").hideKnown("plain-looking-but-long"))
                .as("the tenant's own")
                .isEqualTo("[redacted]");
        assertThat(redactor.hideKnown(token)).as("logs").isEqualTo("[redacted]");
        assertThat(redactor.ofServer(ACME, "mail").hideKnown(token)).isEqualTo(token);
        assertThat(redactor.of(ACME).hideKnown(token)).isEqualTo(token);
        assertThat(redactor.ofServer(OTHER, "wiki").hideKnown(token)).isEqualTo(token);
        assertThat(redactor.of(ACME)
                        .mask("a Token-Of-The-Wiki-Number-0000 there")
                        .value())
                .as("words of the same shape")
                .contains("Token-Of-The-Wiki");
    }

    @Test
    void a_token_is_masked_until_its_account_has_had_two_others() {
        known.learn(ACME, "wiki", "ann", List.of("first-token-of-ann", "refresh-token-of-ann"));
        known.learn(ACME, "wiki", "bob", List.of("first-token-of-bob"));
        Redactor ofWiki = redactor.ofServer(ACME, "wiki");
        String all =
                "first-token-of-ann second-token-of-ann third-token-of-ann refresh-token-of-ann first-token-of-bob";

        known.learn(ACME, "wiki", "ann", List.of("second-token-of-ann", "refresh-token-of-ann"));
        assertThat(ofWiki.hideKnown(all))
                .as("a call that was started before may return the old one")
                .isEqualTo("[redacted] [redacted] third-token-of-ann [redacted] [redacted]");
        known.learn(ACME, "wiki", "ann", List.of("third-token-of-ann", "refresh-token-of-ann"));
        assertThat(ofWiki.hideKnown(all)).isEqualTo("first-token-of-ann [redacted] [redacted] [redacted] [redacted]");
    }

    @Test
    void a_token_of_two_accounts_is_masked_as_long_as_one_has_it() {
        known.learn(ACME, "wiki", "ann", List.of("the-same-token-of-both"));
        known.learn(ACME, "wiki", "bob", List.of("the-same-token-of-both"));
        for (int renewal = 0; renewal < 3; renewal++) {
            known.learn(ACME, "wiki", "ann", List.of("own-token-of-ann-" + renewal));
        }
        assertThat(redactor.ofServer(ACME, "wiki").hideKnown("the-same-token-of-both"))
                .isEqualTo("[redacted]");
    }

    @Test
    void the_tokens_of_thousands_of_accounts_are_learned_once() {
        int accounts = 3_000;
        List<List<String>> tokens = IntStream.range(0, accounts)
                .mapToObj(account -> List.of("access-token-of-" + account + ";", "refresh-token-of-" + account + ";"))
                .toList();
        for (int account = 0; account < accounts; account++) {
            known.learn(ACME, "wiki", "account " + account, tokens.get(account));
        }
        SecretFinder learned = known.of(ACME, "wiki");
        for (int account = 0; account < accounts; account++) {
            known.learn(ACME, "wiki", "account " + account, List.copyOf(tokens.get(account)));
        }

        assertThat(known.of(ACME, "wiki")).as("nothing was built anew").isSameAs(learned);
        assertThat(learned.secrets()).hasSize(2 * accounts);
        for (List<String> both : tokens) {
            assertThat(redactor.ofServer(ACME, "wiki").hideKnown(String.join(" ", both)))
                    .isEqualTo("[redacted] [redacted]");
        }
    }

    @Test
    void accounts_that_are_not_used_make_room_for_others() {
        String filler = "x".repeat(16_000);
        long enough = ServerSecrets.MAX_CHARACTERS / filler.length() + 1;
        known.learn(ACME, "wiki", "unused", List.of("token-of-the-unused"));
        known.learn(ACME, "wiki", "used", List.of("token-of-the-used"));
        for (int round = 0; round < 2; round++) {
            for (int account = 0; account < enough; account++) {
                known.learn(ACME, "wiki", round + " " + account, List.of(account + filler + round));
                assertThat(known.of(ACME, "wiki").contains("token-of-the-used"))
                        .as("the token of an account that is used, after %d others", account)
                        .isTrue();
                known.learn(ACME, "wiki", "used", List.of("token-of-the-used"));
            }
        }

        Redactor ofWiki = redactor.ofServer(ACME, "wiki");
        assertThat(ofWiki.hideKnown("token-of-the-unused token-of-the-used"))
                .isEqualTo("token-of-the-unused [redacted]");
        assertThat(known.of(ACME, "wiki").secrets().stream()
                        .mapToLong(String::length)
                        .sum())
                .isLessThanOrEqualTo(ServerSecrets.MAX_CHARACTERS);
    }

    @Test
    void a_token_that_repeats_itself_takes_linear_time() {
        LinearTime.check("a long row of one letter", "a"::repeat, text -> {
            int half = text.length() / 2;
            Redactor hiding = hidingTokens(List.of("a".repeat(half) + "b", "a".repeat(half / 2) + "c"));
            assertThat(hiding.hideKnown(text)).isEqualTo("[redacted]");
            assertThat(hiding.beginningOfKnown(text)).isEqualTo(half);
        });
        LinearTime.check("tokens that begin alike", "ab"::repeat, text -> {
            List<String> tokens = IntStream.range(0, text.length() / 200)
                    .mapToObj(number -> "ab".repeat(10 + number) + "c")
                    .toList();
            assertThat(hidingTokens(tokens).hideKnown(text)).isNotEmpty();
        });
    }

    private static Redactor hidingTokens(List<String> tokens) {
        KnownSecrets secrets = new KnownSecrets();
        secrets.learn(ACME, "wiki", "ann", tokens);
        return Redactor.standard().withKnownSecrets(secrets).ofServer(ACME, "wiki");
    }

    @Test
    void no_text_that_repeats_a_beginning_is_masked_completely() {
        Random random = new Random(7);
        String header = "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.";
        List<String> tokens = IntStream.range(0, 1_000)
                .mapToObj(_ -> header
                        + random.ints(800, 'A', 'z' + 1)
                                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append))
                .toList();
        Redactor ofWiki = hidingTokens(tokens);
        String token = tokens.getFirst();

        for (int length : List.of(1, 5, 41, 43, 100, 840)) {
            String guesses = (token.substring(0, length) + " ").repeat(1_000_000 / length);
            assertThat(ofWiki.hideKnown(guesses)).as("beginnings of " + length).isEqualTo(guesses);
        }
        assertThat(ofWiki.hideKnown(String.join(" ", tokens)))
                .isEqualTo("[redacted] ".repeat(1_000).strip());
    }

    @Test
    void what_a_server_has_issued_hides_no_word_from_approvers_and_the_record() {
        known.learn(ACME, "wiki", "ann", List.of("plain-looking-but-long"));

        assertThat(redactor.ofServer(ACME, "wiki")
                        .record("another-word-like-this")
                        .value())
                .isEqualTo("another-word-like-this");
        known.learn(ACME, "plain-looking-but-long");
        assertThat(redactor.of(ACME).record("another-word-like-this").value())
                .as("one that the tenant has chosen")
                .isEqualTo("[redacted: 22 characters]");
    }

    @Test
    void a_late_known_secret_leaves_no_earlier_one_unmasked() {
        Redactor redactor = Redactor.standard().withSecrets(Set.of("admin-key-of-a-test-0123456789"));

        assertThat(redactor.clean("password=hunter2-of-a-test and ghp_a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6"
                        + " with admin-key-of-a-test-0123456789"))
                .isEqualTo("password=[redacted] and [redacted] with [redacted]");
    }
}
