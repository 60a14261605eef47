package dev.toolgate.client;

import static dev.toolgate.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import dev.toolgate.client.model.Agent;
import dev.toolgate.client.model.ApprovalEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client makes of answers that it does not expect. */
class AnswersTest {
    private final ManualTime time = new ManualTime();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"status\": \"allowed\"}",
                "{\"status\": \"allowed\", \"outcome\": \"authorized\"}",
                "{\"status\": \"allowed\", \"outcome\": \"authorized\", \"request_id\": \"another\","
                        + " \"permit_expires_at\": \"2099-01-01T00:00:00Z\"}",
                "{\"status\": \"denied\", \"outcome\": \"authorized\", \"request_id\": \"mine\","
                        + " \"permit_expires_at\": \"2099-01-01T00:00:00Z\"}",
                "{\"status\": \"allowed\", \"request_id\": \"mine\", \"result\": {\"success\": true, \"data\": \"\"}}",
                "<html>"
            })
    void only_a_permit_for_this_call_permits_it(String body) throws IOException {
        try (ScriptedServer server = new ScriptedServer(exchange -> answer(exchange, 200, body))) {
            assertThatThrownBy(() -> server.client(time)
                            .authorize(ToolCall.of(Call.of("deploy").withId("mine"))))
                    .isInstanceOf(ToolgateException.class);
        }
    }

    @Test
    void a_page_of_a_proxy_is_no_empty_list() throws IOException {
        HttpHandler portal = exchange -> {
            byte[] page = "<html>Log in</html>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
        };
        try (ScriptedServer server = new ScriptedServer(portal)) {
            assertThatThrownBy(() -> server.client(time).agents().list().toList())
                    .isInstanceOf(ToolgateException.class)
                    .hasMessageContaining("not one of the gate's");
        }
    }

    @Test
    void unknown_fields_and_values_are_kept() throws IOException {
        String later = "[{\"agent_id\": \"a\", \"trust_level\": \"boundless\", \"team\": {\"name\": \"red\"}}]";
        try (ScriptedServer server = new ScriptedServer(exchange -> answer(exchange, 200, later))) {
            List<Agent> agents = server.client(time).agents().list().toList();

            assertThat(agents).singleElement().satisfies(agent -> {
                assertThat(agent.trustLevel()).isEqualTo("boundless");
                assertThat(agent.more()).isEqualTo(Map.of("team", Map.of("name", "red")));
            });
        }
    }

    @Test
    void ids_are_encoded_and_cannot_leave_their_place_in_the_path() throws IOException {
        try (ScriptedServer server = new ScriptedServer(exchange -> answer(exchange, 204, ""))) {
            server.client(time).agents().delete("../keys?x=1#", "no more, & gone");

            assertThat(server.received()).singleElement().satisfies(request -> assertThat(request.target())
                    .isEqualTo("/api/v1/agents/..%2Fkeys%3Fx%3D1%23?reason=no%20more%2C%20%26%20gone"));
        }
    }

    @Test
    void an_answer_that_does_not_end_is_given_up() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        HttpHandler stalled = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            await(over);
        };
        try (ScriptedServer server = new ScriptedServer(stalled)) {
            Toolgate toolgate = new ToolgateBuilder(Map.of())
                    .url(server.url())
                    .key(ScriptedServer.KEY)
                    .agent("writer")
                    .timeout(Duration.ofMillis(300))
                    .maxRetries(0)
                    .build();

            assertThatThrownBy(() -> toolgate.execute("file_list", Map.of()))
                    .isInstanceOf(ConnectionFailedException.class)
                    .hasMessageContaining("no answer");
        } finally {
            over.countDown();
        }
    }

    @Test
    void events_are_read_as_they_come_and_end_with_the_stream() throws IOException {
        HttpHandler events = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("""
                            : a comment

                            event: opened
                            data: {"approval_id": "a-1", "state": "pending",
                            data: "tool_name": "deploy"}

                            event: later
                            data: something

                            """.getBytes(StandardCharsets.UTF_8));
        };
        try (ScriptedServer server = new ScriptedServer(events);
                Stream<ApprovalEvent> stream = server.client(time).approvals().stream()) {
            List<ApprovalEvent> all = stream.toList();

            assertThat(all).extracting(ApprovalEvent::name).containsExactly("opened", "later");
            assertThat(all.get(0).approval())
                    .satisfies(approval -> assertThat(approval.toolName()).isEqualTo("deploy"));
            assertThat(all.get(1).data()).isEqualTo("something");
        }
    }

    @Test
    void the_environment_is_used_where_nothing_is_set() throws IOException {
        try (ScriptedServer server = new ScriptedServer(exchange -> answer(exchange, 200, ScriptedServer.ALLOWED))) {
            Map<String, String> environment = Map.of(
                    "TOOLGATE_URL", server.url() + "/", "TOOLGATE_KEY", "tg_env\n", "TOOLGATE_AGENT", "from_env");

            new ToolgateBuilder(environment).build().execute("a", Map.of());
            new ToolgateBuilder(environment).key("tg_set").agent("set").build().execute("a", Map.of());

            assertThat(server.received().get(0).authorization()).isEqualTo("Bearer tg_env");
            assertThat(server.received().get(0).body()).contains("\"from_env\"");
            assertThat(server.received().get(1).authorization()).isEqualTo("Bearer tg_set");
            assertThat(server.received().get(1).body()).contains("\"set\"");
        }
        assertThatThrownBy(() -> new ToolgateBuilder(Map.of()).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("TOOLGATE_KEY");
        assertThatThrownBy(() -> new ToolgateBuilder(Map.of("TOOLGATE_KEY", "tg_env"))
                        .build()
                        .execute("a", Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("TOOLGATE_AGENT");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
