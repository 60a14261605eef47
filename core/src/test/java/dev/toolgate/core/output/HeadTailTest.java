package dev.toolgate.core.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
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

    @Property(tries = 5_000)
    void never_exceeds_the_limit_and_never_splits_a_character(
            @ForAll("texts") String text, @ForAll @IntRange(max = 2_000) int limit) {
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

    @Property(tries = 2_000)
    void keeps_head_and_tail_in_the_proportion_four_to_one(
            @ForAll("texts") String text, @ForAll @IntRange(min = 200, max = 2_000) int limit) {
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

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Integer> points = Arbitraries.oneOf(
                Arbitraries.integers().between(0x00, 0x7F),
                Arbitraries.integers().between(0x80, 0x7FF),
                Arbitraries.integers().between(0x800, 0xD7FF),
                Arbitraries.integers().between(0xE000, 0xFFFF),
                Arbitraries.integers().between(0x10000, 0x10FFFF));
        return points.list()
                .ofMaxSize(1_200)
                .map(list -> list.stream().map(Character::toString).reduce("", String::concat));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
