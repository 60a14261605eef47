package dev.toolgate.mcp.client.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BearerChallengeTest {
    private static BearerChallenge read(String... headers) {
        return BearerChallenge.read(List.of(headers));
    }

    @Test
    void reads_quoted_and_plain_parameters_in_any_order() {
        BearerChallenge challenge = read("Bearer error=insufficient_scope, scope=\"a b\","
                + " resource_metadata=\"https://x.example/.well-known/p\", error_description=\"a \\\"word\\\", more\"");
        assertThat(challenge.error()).isEqualTo("insufficient_scope");
        assertThat(challenge.scopes()).containsExactly("a", "b");
        assertThat(challenge.resourceMetadata()).isEqualTo("https://x.example/.well-known/p");
    }

    @Test
    void finds_the_bearer_challenge_among_others() {
        assertThat(read("Basic realm=\"x\", Bearer scope=\"s\"").scopes()).containsExactly("s");
        assertThat(read("Basic realm=\"x\"", "bearer scope=s").scopes()).containsExactly("s");
        assertThat(read("Bearer").scopes()).isEmpty();
    }

    @Test
    void ignores_other_schemes_and_overlong_headers() {
        assertThat(read("Digest scope=\"s\"").scopes()).isEmpty();
        assertThat(read("Bearer scope=\"" + "x".repeat(10_000) + "\"").scopes()).isEmpty();
        assertThat(read().error()).isNull();
    }
}
