package dev.toolgate.core.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HeadTailTest {
    private static final Pattern CUT =
            Pattern.compile("(?s)(.*)\n\\[\\.\\.\\. truncated (\\d+) bytes \\.\\.\\.]\n(.*)");

    @Test
    void text_that_fits_is_left_alone() {
        assertThat(HeadTail.fit("hello", 5)).isEqualTo("hello");
        assertThat(HeadTail.fit("", 0)).isEmpty();
        assertThat(HeadTail.fit("ééé", 6)).isEqualTo("ééé");
    }

    @Test
    void long_text_keeps_its_beginning_and_its_end_around_the_marker() {
        String cut = HeadTail.fit("a".repeat(5_000) + "z".repeat(5_000), 1_000);

        assertThat(cut).startsWith("aaaa").endsWith("zzzz").contains("\n[... truncated ");
        assertThat(bytes(cut)).isLessThanOrEqualTo(1_000).isGreaterThan(950);
    }

    @Test
    void without_room_for_a_marker_only_the_head_stays() {
        assertThat(HeadTail.fit("x".repeat(100), 10)).isEqualTo("x".repeat(10));
        assertThat(HeadTail.fit("é".repeat(100), 5)).isEqualTo("éé");
        assertThat(HeadTail.fit("anything", 0)).isEmpty();
    }

    @Test
    void never_exceeds_the_limit_and_never_splits_a_character() {
        Cases.many(5_000, random -> checkLimitAndCharacters(text(random), random.nextInt(2_001)));
    }

    private static void checkLimitAndCharacters(String text, int limit) {
        String cut = HeadTail.fit(text, limit);

        assertThat(bytes(cut)).isLessThanOrEqualTo(limit);
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(cut)).isTrue();
        Matcher parts = CUT.matcher(cut);
        if (bytes(text) <= limit) {
            assertThat(cut).isEqualTo(text);
        } else if (parts.matches()) {
            assertThat(text).startsWith(parts.group(1)).endsWith(parts.group(3));
            assertThat(bytes(parts.group(1)) + bytes(parts.group(3)) + Long.parseLong(parts.group(2)))
                    .isEqualTo(bytes(text));
        } else {
            assertThat(text).startsWith(cut);
        }
    }

    @Test
    void keeps_head_and_tail_in_the_proportion_four_to_one() {
        Cases.many(2_000, random -> checkProportion(text(random), random.nextInt(200, 2_001)));
    }

    private static void checkProportion(String text, int limit) {
        Matcher parts = CUT.matcher(HeadTail.fit(text.repeat(1 + 3_000 / Math.max(1, bytes(text))) + "é", limit));

        if (!text.isEmpty() && parts.matches()) {
            int head = bytes(parts.group(1));
            int tail = bytes(parts.group(3));
            // Each side may lose up to three bytes to a character that did not fit, the head four to rounding.
            assertThat(head).isBetween(4 * tail - 7, 4 * (tail + 3));
            assertThat(head + tail).isGreaterThan(limit - 60);
        } else {
            assertThat(text).isEmpty();
        }
    }

    /** Up to 1,200 characters that need one to four bytes each. */
    private static String text(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(1_201); left > 0; left--) {
            text.appendCodePoint(
                    switch (random.nextInt(5)) {
                        case 0 -> random.nextInt(0x00, 0x80);
                        case 1 -> random.nextInt(0x80, 0x800);
                        case 2 -> random.nextInt(0x800, 0xD800);
                        case 3 -> random.nextInt(0xE000, 0x10000);
                        default -> random.nextInt(0x10000, 0x110000);
                    });
        }
        return text.toString();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
