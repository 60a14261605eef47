package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random texts made of the pieces that the scanners look for: no secret escapes, and time stays linear. */
class RedactionFuzzTest {
    private static final List<String> PIECES = List.of(
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "-----BEGIN ",
            "-----",
            "PRIVATE KEY",
            "AKIA",
            "ABCDEFGH01234567",
            "ghp_",
            "github_pat_",
            "sk-",
            "xoxb-",
            "tg_",
            "eyJ",
            "eyJhbGciOi",
            ".",
            "Bearer ",
            "basic ",
            "://",
            "user:",
            "@",
            "host",
            "authorization",
            "Authorization: ",
            "Cookie: ",
            "a=b; ",
            "-u ",
            "--user=",
            "--token ",
            "password",
            "=",
            ":",
            "\"",
            "'",
            "\\",
            "\\\"",
            "\\n",
            "\n",
            "\r\n",
            " ",
            "\t",
            "$(",
            "${",
            ")",
            "`",
            ";",
            "|",
            "&",
            "aB3dE5",
            "abcdefgh",
            "0123456789",
            "/",
            "[redacted]",
            "[redacted: ",
            "é",
            "😀",
            "\0",
            "+49 170 1234567",
            "4111 1111 1111 1111",
            "a.b@example.com",
            "(212) 555-0123");
    private static final String COMMAND = "\nrun-evil /tmp/x --now\n";
    private static final String NAMED = "\npassword=S3cretV4lue9x\n";
    private static final String KEY = " ghp_abcdefghijklmnopqrstuvwxyz0123456789 ";

    private final Redactor redactor = Redactor.standard()
            .withSecrets(Set.of("a-secret-of-the-server-77"))
            .alsoHiding(_ -> EnumSet.allOf(PersonalData.class))
            .of(new dev.toolgate.core.call.TenantId("acme"));

    @Test
    void random_texts_keep_commands_and_lose_secrets() {
        escapes(11, 3_000);
    }

    @Test
    @Tag("soak")
    void many_random_texts_keep_commands_and_lose_secrets() {
        for (int seed = 0; seed < 200; seed++) {
            escapes(seed, 3_000);
        }
    }

    private void escapes(long seed, int texts) {
        Random random = new Random(seed);
        for (int number = 0; number < texts; number++) {
            String text = pieces(random, 30)
                    + COMMAND
                    + pieces(random, 30)
                    + NAMED
                    + pieces(random, 30)
                    + KEY
                    + pieces(random, 30);
            Masked<String> masked = redactor.record(text);

            assertThat(masked.value()).as("seed %s, text %s", seed, number).contains(COMMAND.strip());
            assertThat(masked.value()).doesNotContain("S3cretV4lue9x", KEY.strip());
            assertThat(masked.characters()).isGreaterThanOrEqualTo(12);
        }
    }

    private static String pieces(Random random, int max) {
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(max); count > 0; count--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eyJ-",
                "eyJaaaaaaaa.",
                "token=\"",
                "token='\\",
                "password",
                "--token ",
                "----",
                "://a:",
                "bearer ",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN A",
                "-u a:",
                "cookie:",
                "Cookie: a=b;",
                "ghp_",
                "xoxb-",
                "\\",
                "secret=\\\\\"",
                "authorization: digest a=b,",
                "a",
                "aB3",
                "\n",
                "@",
                "a@",
                "a@b.",
                "4",
                "4 ",
                "+1 ",
                "(2",
                "password=\"a ",
                "private key-----",
                "-----BEGIN PRIVATE KEY-----\n ",
                "key=",
                "AKIA",
                "sk-"
            })
    void redaction_is_linear_in_the_text(String part) {
        LinearTime.check(part, LinearTime.repeated(part), redactor::record);
    }

    @Test
    void redaction_of_random_texts_is_linear() {
        for (long seed = 0; seed < 5; seed++) {
            long fixed = seed;
            LinearTime.check("seed " + seed, length -> ofPieces(fixed, 40).apply(length), redactor::record);
        }
    }

    @Test
    @Tag("soak")
    void redaction_of_many_random_texts_is_linear() {
        for (long seed = 0; seed < 300; seed++) {
            LinearTime.check("seed " + seed, ofPieces(seed, 1 + (int) (seed % 12)), redactor::record);
        }
    }

    @Test
    @Tag("soak")
    void ten_hostile_megabytes_take_about_as_long_as_ordinary_text() {
        int length = 10_000_000;
        long ordinary = LinearTime.nanos(
                LinearTime.repeated("The quick brown fox, 12 times. ").apply(length), redactor::record);
        System.out.printf("10 MB of ordinary text: %d ms of processor%n", ordinary / 1_000_000);
        for (String piece : PIECES) {
            long hostile = LinearTime.nanos(LinearTime.repeated(piece).apply(length), redactor::record);
            System.out.printf("10 MB of %s: %d ms of processor%n", piece.strip(), hostile / 1_000_000);
            assertThat(hostile).as(piece).isLessThan(ordinary * 60);
        }
    }

    // A random sequence of pieces, repeated.
    private static IntFunction<String> ofPieces(long seed, int count) {
        Random random = new Random(seed);
        StringBuilder part = new StringBuilder();
        for (int piece = 0; piece < count; piece++) {
            part.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return LinearTime.repeated(part.toString());
    }
}
