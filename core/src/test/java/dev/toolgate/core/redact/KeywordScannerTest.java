package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeywordScannerTest {
    @Test
    void a_group_is_found_by_any_of_its_words_in_any_case() {
        KeywordScanner words = new KeywordScanner(List.of(List.of("token", "secret"), List.of("sk-")));

        assertThat(words.in("my TOKEN")).isEqualTo(0b01);
        assertThat(words.in("Secrets of SK-1")).isEqualTo(0b11);
        assertThat(words.in("sk_1 tok en")).isZero();
        assertThat(words.in("")).isZero();
    }

    @Test
    void characters_beyond_ascii_belong_to_no_word() {
        KeywordScanner words = new KeywordScanner(List.of(List.of("key")));

        assertThat(words.in("k\u0119y ke\u00fd \u212aey \ud83d\udd11")).isZero();
        assertThat(words.in("\ud83d\udd11key\u0119")).isEqualTo(1);
    }

    @Test
    void finds_the_same_as_searching_word_by_word() {
        List<List<String>> groups = List.of(
                List.of("a"),
                List.of("ab", "bab"),
                List.of("bc"),
                List.of("bca"),
                List.of("c", "caa"),
                List.of("aab_"));
        KeywordScanner words = new KeywordScanner(groups);
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(9); left > 0; left--) {
                text.append("abcABCx_".charAt(random.nextInt(8)));
            }
            assertThat(words.in(text.toString()))
                    .as(text.toString())
                    .isEqualTo(oneByOne(groups, text.toString().toLowerCase(Locale.ROOT)));
        }
    }

    @Test
    void more_groups_than_there_are_bits_are_refused() {
        assertThatThrownBy(() -> new KeywordScanner(Collections.nCopies(65, List.of("x"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static long oneByOne(List<List<String>> groups, String lowerCase) {
        long found = 0;
        for (int group = 0; group < groups.size(); group++) {
            found |= groups.get(group).stream().anyMatch(lowerCase::contains) ? 1L << group : 0;
        }
        return found;
    }
}
