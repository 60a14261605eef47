package dev.toolgate.core.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyedDigestTest {
    /** Computed by another program with a key of 32 zero bytes. */
    private static final String OF_A_TEXT =
            "hmac-sha256:9bf8d7c0:b59fd37b1ceed52e9592efb6899fa831a8e5f7850e97cbed2a8ade10f099f4c0";

    private final KeyedDigest digest = new KeyedDigest(new byte[KeyedDigest.KEY_BYTES]);

    @Test
    void a_text_has_the_digest_that_other_programs_compute() {
        assertThat(digest.of("a text")).isEqualTo(OF_A_TEXT);
        assertThat(digest.of("another text")).isNotEqualTo(OF_A_TEXT);
        assertThat(digest.of("a text")).as("after another text").isEqualTo(OF_A_TEXT);
    }

    @Test
    void digests_are_correct_under_concurrency() {
        List<String> texts =
                IntStream.range(0, 10_000).mapToObj(number -> "text " + number).toList();
        Set<String> wrong = ConcurrentHashMap.newKeySet();

        texts.parallelStream().forEach(text -> {
            if (!digest.of(text).equals(new KeyedDigest(new byte[KeyedDigest.KEY_BYTES]).of(text))) {
                wrong.add(text);
            }
        });

        assertThat(wrong).isEmpty();
    }
}
