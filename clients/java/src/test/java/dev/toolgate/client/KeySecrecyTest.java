package dev.toolgate.client;

import static dev.toolgate.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.MadeKey;
import dev.toolgate.client.model.NewKey;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attempts to get the key sent or shown to somebody else. */
class KeySecrecyTest {
    private final ManualTime time = new ManualTime();

    @Test
    void a_redirect_does_not_take_the_key_to_another_server() throws IOException {
        try (ScriptedServer thief = new ScriptedServer(exchange -> answer(exchange, 200, ScriptedServer.ALLOWED));
                ScriptedServer gate = new ScriptedServer(exchange -> {
                    exchange.getResponseHeaders().set("Location", thief.url() + "/api/v1/tools/execute");
                    answer(exchange, 307, "{}");
                })) {
            assertThatThrownBy(() -> gate.client(time).execute("file_list", Map.of()))
                    .isInstanceOf(ToolgateException.class);

            assertThat(gate.received()).hasSize(1);
            assertThat(thief.received()).isEmpty();
        }
    }

    @Test
    void a_next_page_elsewhere_does_not_take_the_key_there() throws IOException {
        for (String scheme : new String[] {"http:", ""}) {
            try (ScriptedServer thief = new ScriptedServer(exchange -> answer(exchange, 200, "[]"));
                    ScriptedServer gate = new ScriptedServer(exchange -> {
                        String next = scheme + thief.url().substring("http:".length()) + "/api/v1/audit/logs";
                        exchange.getResponseHeaders().set("Link", "<" + next + ">; rel=\"next\"");
                        answer(exchange, 200, "[]");
                    })) {
                assertThatThrownBy(() ->
                                gate.client(time).audit().list(AuditQuery.all()).toList())
                        .isInstanceOf(ToolgateException.class);

                assertThat(gate.received()).hasSize(1);
                assertThat(thief.received()).isEmpty();
            }
        }
    }

    @Test
    void no_message_shows_the_key() {
        assertThatThrownBy(() -> builder().key("tg_secret\r\nX-Role: admin").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("tg_secret");
        assertThatThrownBy(() -> builder()
                        .url("http://ada:pass@gate:8001")
                        .key("tg_secret")
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("pass")
                .hasMessageNotContaining("tg_secret");
        assertThat(builder().key("tg_secret").build().toString()).doesNotContain("tg_secret");
    }

    @Test
    void a_new_key_is_given_to_the_caller_and_not_to_a_log() throws IOException {
        String made = "{\"key\": \"tg_new_secret\", \"key_id\": \"k\", \"prefix\": \"tg_n\", \"region\": \"north\"}";
        try (ScriptedServer gate = new ScriptedServer(exchange -> answer(exchange, 201, made))) {
            MadeKey key = gate.client(time).keys().create(NewKey.forAgent("writer"));

            assertThat(key.key()).isEqualTo("tg_new_secret");
            assertThat(key.info().more()).containsExactly(Map.entry("region", "north"));
            assertThat(key.toString()).contains("tg_n").doesNotContain("tg_new_secret");
        }
    }

    private static ToolgateBuilder builder() {
        return new ToolgateBuilder(Map.of());
    }
}
