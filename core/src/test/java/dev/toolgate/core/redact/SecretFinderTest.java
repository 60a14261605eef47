package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tree of secrets, compared with searching each of them. */
class SecretFinderTest {
    private final Random random = new Random(11);

    private String word(int maxLength) {
        StringBuilder word = new StringBuilder();
        int length = 1 + random.nextInt(maxLength);
        while (word.length() < length) {
            word.append("abé".charAt(random.nextInt(3)));
        }
        return word.toString();
    }

    @Test
    void finds_the_same_as_a_search_for_each_secret() {
        for (int round = 0; round < 300; round++) {
            List<String> present = new ArrayList<>();
            SecretFinder finder = SecretFinder.NONE;
            for (int change = 0; change < 40; change++) {
                if (random.nextInt(3) == 0 && !present.isEmpty()) {
                    String gone = present.remove(random.nextInt(present.size()));
                    finder = finder.without(List.of(gone));
                } else {
                    String added = word(7);
                    present.add(added);
                    finder = finder.with(List.of(added));
                }
                assertThat(finder.secrets()).containsExactlyInAnyOrderElementsOf(Set.copyOf(present));
            }
            assertThat(finder.isEmpty()).isEqualTo(present.isEmpty());
            Set<String> sent = new HashSet<>(present.subList(0, present.size() / 3));
            assertSame(finder, present, word(60), secret -> !sent.contains(secret));
            for (String gone : present) {
                assertThat(finder.contains(gone)).isTrue();
                finder = finder.without(List.of(gone, "not there"));
            }
            assertThat(finder.isEmpty()).isTrue();
        }
    }

    private static void assertSame(SecretFinder finder, List<String> secrets, String text, Predicate<String> counts) {
        Masks found = new Masks();
        finder.find(text, counts, found);
        Masks expected = new Masks();
        secrets.stream().filter(counts).forEach(secret -> {
            for (int at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
                expected.add(at, at + secret.length());
            }
        });
        assertThat(found.hiddenIn(text)).isEqualTo(expected.hiddenIn(text));
        int beginning = secrets.stream()
                .filter(counts)
                .flatMap(secret -> IntStream.range(1, secret.length()).mapToObj(length -> secret.substring(0, length)))
                .filter(text::endsWith)
                .map(String::length)
                .max(Comparator.naturalOrder())
                .orElse(0);
        assertThat(finder.beginningAtEnd(text, counts)).isEqualTo(beginning);
    }

    @Test
    void a_tree_as_deep_as_its_secrets_are_long_needs_no_deep_stack() {
        List<String> nested = new ArrayList<>();
        for (int length = 1; length <= 5_000; length++) {
            nested.add("a".repeat(length));
        }
        SecretFinder finder = SecretFinder.of(nested);

        assertThat(finder.secrets()).hasSize(nested.size());
        assertThat(finder.without(nested).isEmpty()).isTrue();
    }
}
