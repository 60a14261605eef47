package dev.toolgate.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.redact.LinearTime;
import dev.toolgate.core.tool.ToolFailure;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random URLs: each is either refused or parsed unambiguously. */
class UrlReaderFuzzTest {
    private static final List<String> PIECES = List.of(
            "http://",
            "https://",
            "http:",
            "//",
            "/",
            "\\",
            "@",
            ":",
            "80",
            "65536",
            "example.com",
            "127.0.0.1",
            "0x7f.1",
            "2130706433",
            "[::1]",
            "[",
            "]",
            "%",
            "%00",
            "%2e",
            "%40",
            "?",
            "#",
            "..",
            ".",
            "xn--a",
            "é",
            "。",
            "①",
            " ",
            "\t",
            "\r\n",
            "\0",
            "user",
            "pass",
            "-",
            "_",
            "a",
            "A",
            "&",
            "=",
            ";",
            "^",
            "{",
            "|");

    @Test
    void random_urls_are_refused_or_parsed_unambiguously() {
        escapes(11, 20_000);
    }

    @Test
    @Tag("soak")
    void many_random_urls_are_refused_or_parsed_unambiguously() {
        for (int seed = 0; seed < 200; seed++) {
            escapes(seed, 20_000);
        }
    }

    private static void escapes(long seed, int urls) {
        Random random = new Random(seed);
        for (int number = 0; number < urls; number++) {
            String url = (random.nextInt(3) > 0 ? "http://" : "") + pieces(random, 12);
            HttpTarget target;
            try {
                target = UrlCheck.parse(url);
            } catch (ToolFailure refused) {
                assertThat(refused.failure().message())
                        .as("seed %s: %s", seed, url)
                        .startsWith("The ");
                continue;
            }
            // Parsing the normalised form gives the same target, and it contains no user info.
            assertThat(target.toString())
                    .as("seed %s: %s", seed, url)
                    .matches("[!-~]+")
                    .doesNotContain("@\\");
            assertThat(target.authority().toString()).doesNotContain("@", "/", "\\", "%", " ");
            assertThat(again(target)).as("seed %s: %s", seed, url).isEqualTo(target);
        }
    }

    private static HttpTarget again(HttpTarget target) {
        try {
            return UrlCheck.parse(target.toString());
        } catch (ToolFailure unreadable) {
            throw new AssertionError(target + " cannot be read again", unreadable);
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
    @ValueSource(strings = {"a", "%41", "http://a/", "[", "@", ":", "é", "a.", "1.", "/..", "xn--", "\\"})
    void parsing_takes_linear_time(String part) {
        LinearTime.check(part, length -> "http://" + LinearTime.repeated(part).apply(length), UrlReaderFuzzTest::read);
    }

    private static void read(String url) {
        try {
            UrlCheck.parse(url);
        } catch (ToolFailure refused) {
            assertThat(refused.failure().message()).startsWith("The ");
        }
    }
}
