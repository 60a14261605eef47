package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server is killed while calls are held: the next server resumes them, and each runs once. */
@Timeout(300)
class KilledWhileHeldTest {
    private static final String AGENT = "agent";
    private static final int CALLS = 20;

    @TempDir
    private Path folder;

    @Test
    void calls_that_were_held_are_answered_on_the_next_server_and_run_once() throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        Files.createFile(effects());
        List<CompletableFuture<HttpResponse<String>>> cutOff = new ArrayList<>();
        try (TrialDatabase trial = TrialDatabase.on(database)) {
            try (ServerProcess server = start("first", database)) {
                Client client = server.client();
                prepare(client);
                for (int i = 0; i < CALLS; i++) {
                    if (i % 2 == 0) {
                        cutOff.add(waiting(client, "r" + i));
                    } else {
                        Client.expect(202, client.executeLater(call("r" + i)));
                    }
                }
                await().until(() -> trial.count("SELECT count(*) FROM approvals WHERE verdict IS NULL") == CALLS);
                answer(trial, client, "r0", "true"); // some are answered while it is killed
                answer(trial, client, "r1", "true");
                server.kill();
            }
            cutOff.forEach(call -> assertThat(call.handle((reply, _) -> reply == null || reply.statusCode() == 200)
                            .join())
                    .isTrue());
            try (ServerProcess server = start("second", database)) {
                Client client = server.client();
                for (int i = 2; i < CALLS; i++) {
                    answer(trial, client, "r" + i, i % 5 == 0 ? "false" : "true");
                }
                for (int i = 0; i < CALLS; i++) {
                    String request = "r" + i;
                    int expected = i > 1 && i % 5 == 0 ? 403 : 200;
                    await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                        Reply reply = client.get("/api/v1/calls/" + request);
                        // Calls that were running when the server died are not run again and have an unknown outcome.
                        assertThat(reply.status())
                                .as(request + " " + reply)
                                .isIn(expected, request.length() == 2 && request.compareTo("r1") <= 0 ? 500 : expected);
                    });
                }
                List<String> ran = Files.readAllLines(effects());
                assertThat(ran).doesNotHaveDuplicates();
                for (int i = 2; i < CALLS; i++) {
                    assertThat(ran.contains("r" + i)).as("r" + i).isEqualTo(i % 5 != 0);
                }
                assertThat(trial.count("SELECT count(*) FROM tool_audit_logs WHERE agent_id = 'agent'"))
                        .isEqualTo(CALLS);
            }
        }
    }

    private static void prepare(Client client) {
        Client.expect(201, client.post("/api/v1/agents", "{\"agent_id\": \"" + AGENT + "\"}"));
        Client.expect(
                200,
                client.send(
                        "PUT",
                        "/api/v1/permissions/" + AGENT + "/note",
                        BodyPublishers.ofString("{\"allowed\": true, \"requires_approval\": true}")));
    }

    private static void answer(TrialDatabase trial, Client client, String request, String approved) {
        String id =
                String.valueOf(trial.rows("SELECT approval_id::text AS id FROM approvals WHERE request_id = ?", request)
                        .getFirst()
                        .get("id"));
        Client.expect(200, client.post("/api/v1/approvals/" + id, "{\"approved\": " + approved + "}"));
    }

    private ServerProcess start(String name, DatabaseUrl database) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        Files.writeString(home.resolve("toolgate.yaml"), "approvals: {timeout: 10m}\n");
        return ServerProcess.withTrialTools(TrialDatabase.sharing(folder.resolve("files"), home, database), effects());
    }

    private Path effects() {
        return folder.resolve("effects.txt");
    }

    private static String call(String request) {
        return Client.call(request, AGENT, "note", "{}");
    }

    private static CompletableFuture<HttpResponse<String>> waiting(Client client, String request) {
        return client.http()
                .sendAsync(
                        client.request("POST", "/api/v1/tools/execute", BodyPublishers.ofString(call(request)))
                                .timeout(Duration.ofMinutes(5))
                                .build(),
                        BodyHandlers.ofString());
    }
}
