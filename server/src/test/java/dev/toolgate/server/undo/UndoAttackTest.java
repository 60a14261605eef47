package dev.toolgate.server.undo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An undo is a call: the same checks apply to it, and the content kept for it is never shown. */
@Timeout(240)
class UndoAttackTest {
    private static final String[] FILES = {"file_write", "file_delete", "file_read"};
    private static final String SECRET = "sk-ant-api03-" + "y".repeat(80) + "AA";

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_revoked_grant_refuses_the_undo_and_the_refusal_is_recorded() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("revoked");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        trial.grant("file_write", "{\"allowed\": false}");

        Reply refused = trial.undo(change);

        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        assertThat(file).hasContent("two");
        JsonNode record = trial.recordOf(refused.json().path("request_id").asString());
        assertThat(record.path("status").asString()).isEqualTo("REFUSED");
        assertThat(record.path("undoes").asString()).isEqualTo(Long.toString(change));
        assertThat(trial.preview(change).json().path("decision").asString()).isEqualTo("denied");
    }

    @Test
    void undoing_a_creation_needs_the_permission_to_delete() {
        UndoTrial trial = new UndoTrial(server, home, "file_write");
        Path made = trial.file("made");
        long change = trial.write(made, "new");

        assertThat(trial.undo(change).status()).isEqualTo(403);

        assertThat(made).hasContent("new");
    }

    @Test
    void a_condition_added_later_refuses_the_undo() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("blocked");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        trial.grant("file_write", "{\"allowed\": true, \"condition\": \"params.path.startsWith('docs/')\"}");

        assertThat(trial.undo(change).status()).isEqualTo(403);

        assertThat(file).hasContent("two");
    }

    @Test
    void an_undo_does_not_touch_a_path_that_became_dangerous(@TempDir Path other) throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("ledger.txt");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        try (ToolgateServer strict = server.another(other, Map.of("sandbox.dangerous_paths", "*ledger*"))) {
            Client admin = new Client(strict.url())
                    .with("Authorization", "Bearer " + server.key(RunningServer.FIRST, Role.ADMIN, null));

            Reply refused = UndoTrial.undo(admin, change);

            assertThat(refused.status()).as(refused.text()).isEqualTo(403);
            assertThat(refused.text()).contains("dangerous");
            assertThat(admin.get("/api/v1/audit/logs/" + change + "/undo").text())
                    .doesNotContain("differences\"");
        }
        assertThat(file).hasContent("two");
    }

    @Test
    void a_link_planted_at_the_path_is_not_followed() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("planted");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        Path inside = trial.file("victim");
        Path outside = home.resolve(trial.agent + "-outside");
        for (Path victim : new Path[] {inside, outside}) {
            UndoTrial.put(victim, "two"); // what the call left, so that only the place differs
            Files.delete(file);
            Files.createSymbolicLink(file, victim);

            Reply refused = trial.undo(change);

            assertThat(refused.status()).as(refused.text()).isIn(403, 409);
            assertThat(victim).hasContent("two");
            assertThat(Files.isSymbolicLink(file)).isTrue();
        }
    }

    @Test
    void records_of_others_are_answered_like_unknown_ones() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("mine");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        Client stranger = new UndoTrial(server, home, FILES).own();
        for (Client client : new Client[] {stranger, server.as(RunningServer.ACME, Role.ADMIN)}) {
            Reply unknown = UndoTrial.undo(client, Long.MAX_VALUE);
            assertThat(unknown.status()).isEqualTo(404);
            Reply hidden = UndoTrial.undo(client, change);
            assertThat(hidden.status()).isEqualTo(404);
            assertThat(hidden.message()).isEqualTo(unknown.message());
            assertThat(client.get("/api/v1/audit/logs/" + change + "/undo").status())
                    .isEqualTo(404);
        }
        assertThat(UndoTrial.undo(server.as(RunningServer.FIRST, Role.AUDITOR), change)
                        .status())
                .isEqualTo(403);
        assertThat(file).hasContent("two");

        assertThat(UndoTrial.undo(trial.own(), change).status()).isEqualTo(200);
        assertThat(file).hasContent("one");
    }

    @Test
    void an_undo_that_needs_approval_is_held_and_then_done() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("held");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        trial.grant("file_write", "{\"allowed\": true, \"requires_approval\": true}");
        Client operator = server.as(RunningServer.FIRST, Role.OPERATOR);

        Reply held = UndoTrial.undo(operator.with("Prefer", "respond-async"), change);

        assertThat(held.status()).as(held.text()).isEqualTo(202);
        assertThat(file).hasContent("two");
        String request = held.json().path("request_id").asString();
        JsonNode question = operator.get("/api/v1/approvals?state=pending")
                .json()
                .valueStream()
                .filter(each -> each.path("request_id").asString().equals(request))
                .findFirst()
                .orElseThrow();
        assertThat(question.toString()).contains("-two", "+one");
        assertThat(operator.post(
                                "/api/v1/approvals/"
                                        + question.path("approval_id").asString(),
                                "{\"approved\": true, \"reason\": \"fine\"}")
                        .status())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(file).hasContent("one"));
        await().atMost(Duration.ofSeconds(60)).until(() -> server.admin()
                .get("/api/v1/audit/logs?request_id=" + request)
                .text()
                .contains("\"undoes\":\"" + change + "\""));
    }

    @Test
    void a_write_that_races_an_undo_is_never_lost() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        for (int round = 0; round < 8; round++) {
            Path file = trial.file("raced-" + round);
            UndoTrial.put(file, "former");
            long change = trial.write(file, "left by the call");
            Path written = trial.file("written-" + round);
            UndoTrial.put(written, "written meanwhile");
            CountDownLatch ready = new CountDownLatch(1);
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    ready.countDown();
                    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            });
            ready.await();
            Reply undo = trial.undo(change);
            writer.join();

            assertThat(undo.status()).isIn(200, 409);
            assertThat(file).hasContent("written meanwhile");
        }
    }

    @Test
    void a_new_agent_does_not_get_back_what_an_earlier_one_deleted() {
        UndoTrial trial = new UndoTrial(server, home, "memory_save", "memory_delete");
        trial.save("plan", "the earlier plan");
        long deleted =
                trial.call("memory_delete", Json.MAPPER.createObjectNode().put("key", "plan"));
        assertThat(server.admin().delete("/api/v1/agents/" + trial.agent).status())
                .isEqualTo(204);
        assertThat(server.admin()
                        .post("/api/v1/agents", "{\"agent_id\": \"" + trial.agent + "\"}")
                        .status())
                .isEqualTo(201);
        trial.grant("memory_save", "{\"allowed\": true}");

        assertThat(trial.undo(deleted).status()).isEqualTo(409);

        assertThat(trial.remembered("plan")).isEqualTo("nothing");
    }

    @Test
    void former_content_is_in_no_record_answer_or_artifact() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, "file_write", "file_delete");
        Path file = trial.file("private");
        UndoTrial.put(file, "the former password is hunter2 " + SECRET);
        long change = trial.write(file, "clean");
        String preview = trial.preview(change).text();
        assertThat(preview).contains("differences_hidden").doesNotContain("hunter2");
        long undo = trial.undone(change);

        assertThat(file).content().contains("hunter2", SECRET);
        assertThat(trial.record(change).toString() + trial.record(undo))
                .doesNotContain("hunter2")
                .doesNotContain(SECRET);
        String kept = trial.record(undo).at("/parameters/kept").asString();
        assertThat(kept).startsWith("workspaces/default/artifacts/");
        for (Client client : new Client[] {server.admin(), trial.own()}) {
            assertThat(client.get("/api/v1/" + kept).status()).isEqualTo(404);
            assertThat(client.delete("/api/v1/" + kept).status()).isEqualTo(404);
            assertThat(client.get("/api/v1/workspaces/default/artifacts?limit=500")
                            .text())
                    .doesNotContain("kept_state");
        }
        trial.grant("file_read", "{\"allowed\": true}");
        assertThat(trial.preview(change).text()).contains("hunter2").doesNotContain(SECRET);
    }
}
