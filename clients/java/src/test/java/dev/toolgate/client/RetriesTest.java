package dev.toolgate.client;

import static dev.toolgate.client.ScriptedServer.answer;
import static dev.toolgate.client.ScriptedServer.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What is sent again, when, and what is not. */
class RetriesTest {
    private final ManualTime time = new ManualTime();

    /** Answers the first requests with an error, and then allows. */
    private static HttpHandler failingTimes(int times, int status, String error) {
        AtomicInteger count = new AtomicInteger();
        return exchange -> {
            if (count.incrementAndGet() <= times) {
                answer(exchange, status, error);
            } else {
                answer(exchange, 200, ScriptedServer.ALLOWED);
            }
        };
    }

    private static String id(ScriptedServer.Received request) {
        return JsonMapper.shared().readTree(request.body()).path("request_id").asString();
    }

    @Test
    void a_retryable_error_is_sent_again_twice_under_the_same_id() throws IOException {
        try (ScriptedServer server = new ScriptedServer(failingTimes(2, 400, error("SERVICE_UNAVAILABLE", true)))) {
            assertThat(server.client(time).execute("file_list", Map.of()).data())
                    .isEqualTo("done");

            assertThat(server.received()).hasSize(3);
            assertThat(server.received())
                    .extracting(RetriesTest::id)
                    .containsOnly(id(server.received().get(0)));
            assertThat(time.pauses()).hasSize(2).allSatisfy(pause -> assertThat(pause)
                    .isBetween(Duration.ofMillis(500), Duration.ofSeconds(8)));
            assertThat(time.pauses().get(1)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    @Test
    void after_two_retries_the_error_is_thrown() throws IOException {
        try (ScriptedServer server = new ScriptedServer(failingTimes(9, 503, error("SERVICE_UNAVAILABLE", true)))) {
            ToolgateException thrown = catchThrowableOfType(
                    ToolgateException.class, () -> server.client(time).execute("file_list", Map.of()));

            assertThat(thrown.code()).isEqualTo("SERVICE_UNAVAILABLE");
            assertThat(thrown.remediation()).isEqualTo("Do this.");
            assertThat(thrown.correlationId()).isEqualTo("c-1");
            assertThat(thrown.retryable()).isTrue();
            assertThat(server.received()).hasSize(3);
        }
    }

    @Test
    void a_status_alone_is_no_reason_to_send_it_again() throws IOException {
        for (int status : new int[] {408, 409, 429, 500, 502, 503, 504}) {
            try (ScriptedServer server = new ScriptedServer(failingTimes(1, status, error("SOME_ERROR", false)))) {
                assertThatThrownBy(() -> server.client(time).execute("file_list", Map.of()))
                        .isInstanceOf(ToolgateException.class);
                assertThat(server.received()).as("status " + status).hasSize(1);
            }
        }
    }

    @Test
    void a_long_retry_after_is_told_and_not_waited_for() throws IOException {
        HttpHandler limited = exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            answer(exchange, 429, error("RATE_LIMITED", true));
        };
        try (ScriptedServer server = new ScriptedServer(limited)) {
            RateLimitedException thrown = catchThrowableOfType(
                    RateLimitedException.class, () -> server.client(time).execute("file_list", Map.of()));

            assertThat(thrown.retryAfter()).isEqualTo(Duration.ofHours(1));
            assertThat(server.received()).hasSize(1);
            assertThat(time.pauses()).isEmpty();
        }
    }

    @Test
    void a_lost_answer_of_a_call_is_asked_for_again() throws IOException {
        AtomicInteger count = new AtomicInteger();
        HttpHandler lossy = exchange -> {
            if (count.incrementAndGet() > 1) {
                answer(exchange, 200, ScriptedServer.ALLOWED);
            } // otherwise the connection ends without an answer
        };
        try (ScriptedServer server = new ScriptedServer(lossy)) {
            assertThat(server.client(time).execute("file_list", Map.of()).data())
                    .isEqualTo("done");
            assertThat(server.received()).hasSize(2);
            assertThat(id(server.received().get(1)))
                    .isEqualTo(id(server.received().get(0)));
        }
    }

    @Test
    void a_lost_answer_of_a_change_without_an_id_is_not() throws IOException {
        try (ScriptedServer server = new ScriptedServer(exchange -> {})) {
            assertThatThrownBy(() -> server.client(time).agents().create("new"))
                    .isInstanceOf(ConnectionFailedException.class);
            assertThat(server.received()).hasSize(1);
        }
    }

    @Test
    void a_gate_that_is_gone_is_tried_three_times() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Toolgate toolgate = new ToolgateBuilder(Map.of())
                .url("http://127.0.0.1:" + port)
                .key(ScriptedServer.KEY)
                .agent("writer")
                .time(time)
                .build();

        assertThatThrownBy(() -> toolgate.submit("file_list", Map.of()))
                .isInstanceOf(ConnectionFailedException.class)
                .hasMessageContaining(String.valueOf(port))
                .hasMessageNotContaining(ScriptedServer.KEY);
        assertThat(time.pauses()).hasSize(2);
    }

    @Test
    void a_call_that_runs_on_after_its_answer_was_lost_is_collected() throws IOException {
        HttpHandler running = exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
                answer(exchange, 409, error("REQUEST_RUNNING", true));
            } else {
                answer(exchange, 200, ScriptedServer.ALLOWED);
            }
        };
        try (ScriptedServer server = new ScriptedServer(running)) {
            assertThat(server.client(time).execute("file_list", Map.of()).data())
                    .isEqualTo("done");
            assertThat(server.received()).hasSize(4);
            assertThat(server.received().get(3).target())
                    .isEqualTo("/api/v1/calls/" + id(server.received().get(0)) + "?agent_id=writer");
        }
    }

    @Test
    void a_held_call_waits_no_longer_than_it_may() throws IOException {
        HttpHandler held = exchange ->
                answer(exchange, 202, "{\"status\": \"pending\", \"request_id\": \"r\", \"approval_id\": \"a\"}");
        try (ScriptedServer server = new ScriptedServer(held)) {
            Call call = Call.of("file_list").waiting(Duration.ofSeconds(30));

            ApprovalPendingException thrown = catchThrowableOfType(
                    ApprovalPendingException.class, () -> server.client(time).execute(call));

            assertThat(thrown.pending().approvalId()).isEqualTo("a");
            assertThat(Duration.ofNanos(time.nanos())).isEqualTo(Duration.ofSeconds(30));
            assertThat(server.client(time).submit(call)).isInstanceOf(Outcome.Pending.class);
        }
    }

    @Test
    void an_interrupted_caller_stops_waiting() throws IOException {
        try (ScriptedServer server = new ScriptedServer(failingTimes(9, 503, error("SERVICE_UNAVAILABLE", true)))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> server.client(time).execute("file_list", Map.of()))
                    .isInstanceOf(ToolgateException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).as("the flag is set again").isTrue();
        }
    }
}
