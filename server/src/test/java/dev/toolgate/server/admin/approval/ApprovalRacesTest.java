package dev.toolgate.server.admin.approval;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Repeated, concurrent, late and mismatched answers: one is accepted, and nothing runs twice or unapproved. */
class ApprovalRacesTest extends HeldCallsFixture {

    @Test
    void a_call_without_an_answer_times_out_and_a_late_approval_is_refused() {
        String text = text();
        Reply timedOut = execute(agent, text, text);

        assertThat(timedOut.status()).isEqualTo(408);
        assertThat(timedOut.json().path("violation_type").asString()).isEqualTo("approval_timeout");
        JsonNode question = only("timed_out", text);
        Reply late = approve(question.path("approval_id").asString());
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.json().at("/error/details/state").asString()).isEqualTo("timed_out");
        assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(408);
        assertThat(said).doesNotContainKey(text);
    }

    @Test
    void a_replayed_approval_is_refused_and_runs_nothing() {
        String text = text();
        Reply held = later(text, text);
        assertThat(approve(id(held)).status()).isEqualTo(200);
        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(200));

        Reply replayed = approve(id(held));

        assertThat(replayed.status()).isEqualTo(409);
        assertThat(replayed.json().at("/error/details/answered_by").asString()).startsWith("key:");
        assertThat(said.get(text)).isOne();
    }

    @Test
    void one_concurrent_answer_wins_and_the_others_learn_by_whom() throws Exception {
        Client other = server.withKey(server.key(FIRST, Role.OPERATOR, null));
        for (int round = 0; round < 25; round++) {
            String text = text();
            String path = "/api/v1/approvals/" + id(later(text, text));
            List<Reply> replies = atOnce(List.of(
                    () -> operator.post(path, "{\"approved\": true}"),
                    () -> other.post(path, "{\"approved\": false}"),
                    () -> admin.post(path, "{\"approved\": true}")));

            assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(1);
            Reply won = replies.stream()
                    .filter(reply -> reply.status() == 200)
                    .findFirst()
                    .orElseThrow();
            String state = won.json().path("state").asString();
            assertThat(replies)
                    .filteredOn(reply -> reply.status() == 409)
                    .hasSize(2)
                    .allSatisfy(lost -> {
                        assertThat(lost.json().at("/error/details/state").asString())
                                .isEqualTo(state);
                        assertThat(lost.json().at("/error/details/answered_by").asString())
                                .isEqualTo(won.json().path("answered_by").asString());
                    });
            int expected = state.equals("approved") ? 200 : 403;
            await().untilAsserted(() ->
                    assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(expected));
            assertThat(said.getOrDefault(text, 0)).isEqualTo(state.equals("approved") ? 1 : 0);
        }
    }

    @Test
    void changed_arguments_need_a_new_approval() {
        String text = text();
        Reply held = later(text, text);

        assertThat(later(text, text + " and more").status()).isEqualTo(409);
        approve(id(held));
        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(200));
        Reply changed = later(text + "-2", text + " and more");

        assertThat(changed.status()).isEqualTo(202);
        assertThat(later(text, text + " and more").status()).isEqualTo(409);
        assertThat(said).doesNotContainKey(text + " and more");
    }

    @Test
    void a_caller_that_disconnects_can_collect_the_outcome_later() throws Exception {
        String text = text();
        URI url = URI.create(server.url());
        byte[] body = call(text, text).getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/v1/tools/execute HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                            + "Authorization: Bearer " + server.key(FIRST, Role.AGENT, RunningServer.AGENT)
                            + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.write(body);
            out.flush();
            question(text);
            socket.setSoLinger(true, 0);
        }
        approve(question(text));

        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(200));
        assertThat(said.get(text)).isOne();
    }

    private static List<Reply> atOnce(List<Callable<Reply>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(work).stream().map(Future::resultNow).toList();
        }
    }
}
