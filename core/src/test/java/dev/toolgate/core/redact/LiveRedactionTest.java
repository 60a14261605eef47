package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.OutputChunk.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LiveRedactionTest {
    private static final String SECRET = "hunter2-and-more";

    private final List<String> shown = new ArrayList<>();
    private final LiveRedaction live = new LiveRedaction(
            Redactor.knownSecretsOnly().withSecrets(Set.of(SECRET, "hunter3")), chunk -> shown.add(chunk.text()));

    private void put(Source source, String... pieces) {
        for (String piece : pieces) {
            live.onChunk(new OutputChunk(source, piece));
        }
    }

    @Test
    void a_secret_in_one_piece_is_hidden() {
        put(Source.STDOUT, "the key is " + SECRET + ".");
        live.close();
        assertThat(String.join("", shown)).isEqualTo("the key is [redacted].");
    }

    @Test
    void a_secret_arriving_letter_by_letter_is_hidden() {
        put(Source.STDOUT, ("a " + SECRET + " b").split(""));
        live.close();
        assertThat(String.join("", shown)).isEqualTo("a [redacted] b");
    }

    @Test
    void a_false_start_of_a_secret_is_shown_once_clear() {
        put(Source.STDOUT, "see hunter2-and");
        assertThat(shown).containsExactly("see ");
        put(Source.STDOUT, " gatherer");
        assertThat(String.join("", shown)).isEqualTo("see hunter2-and gatherer");
    }

    @Test
    void what_was_held_back_is_shown_at_the_end() {
        put(Source.STDOUT, "hunter2");
        assertThat(shown).isEmpty();
        live.close();
        assertThat(shown).containsExactly("hunter2");
    }

    @Test
    void interleaved_outputs_are_redacted_separately() {
        put(Source.STDOUT, "hunter2-");
        put(Source.STDERR, "oops ");
        put(Source.STDOUT, "and-more");
        live.close();
        assertThat(String.join("", shown)).isEqualTo("oops [redacted]");
    }

    @Test
    void text_that_starts_no_secret_is_not_held_back() {
        put(Source.STDOUT, "line one\n", "line two\n");
        assertThat(shown).containsExactly("line one\n", "line two\n");
    }
}
