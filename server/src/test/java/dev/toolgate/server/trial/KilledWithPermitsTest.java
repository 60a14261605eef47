package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server is killed after it gave permits: they outlive it, are reported to the next one, and end once each. */
@Timeout(180)
class KilledWithPermitsTest {
    private static final int PERMITS = 10;

    @TempDir
    private Path folder;

    @Test
    void permits_survive_the_server_and_are_reported_to_the_next_one() throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        Files.createFile(effects());
        try (TrialDatabase trial = TrialDatabase.on(database)) {
            try (ServerProcess server = start("first", database)) {
                Client client = server.client();
                Client.expect(201, client.post("/api/v1/agents", "{\"agent_id\": \"agent\"}"));
                Client.expect(201, client.send("PUT", "/api/v1/tools/external/deploy", BodyPublishers.ofString("""
                                        {"description": "Deploys", "danger": "safe", "input_schema": {"type": "object"}}""")));
                client.grant("agent", "deploy");
                for (int i = 0; i < PERMITS; i++) {
                    Client.expect(200, client.post("/api/v1/tools/authorize", call("r" + i)));
                }
                Client.expect(
                        200,
                        client.post(
                                "/api/v1/tools/authorize", call("short").replaceFirst("\\{", "{\"expires_in\": 5, ")));
                server.kill();
            }
            try (ServerProcess server = start("second", database)) {
                Client client = server.client();
                await().atMost(Duration.ofSeconds(60))
                        .until(() ->
                                trial.count("SELECT count(*) FROM tool_audit_logs WHERE request_id = 'short'") == 1);
                assertThat(statuses(trial, "short")).isEqualTo("INTERRUPTED client");
                assertThat(trial.count("SELECT count(*) FROM tool_intents")).isEqualTo(PERMITS);
                for (int i = 0; i < PERMITS; i++) {
                    Reply again = client.post("/api/v1/tools/authorize", call("r" + i));
                    assertThat(again.json().path("outcome").asString()).isEqualTo("authorized");
                    Client.expect(200, client.post("/api/v1/calls/r" + i + "/outcome", "{\"status\": \"succeeded\"}"));
                    assertThat(statuses(trial, "r" + i)).isEqualTo("COMPLETED client");
                }
                assertThat(trial.count("SELECT count(*) FROM tool_intents")).isZero();
                assertThat(trial.audit().verify().faults()).isEmpty();
            }
        }
    }

    private static String statuses(TrialDatabase trial, String request) {
        return String.valueOf(trial.rows(
                        "SELECT string_agg(status || ' ' || executed_by, ', ') AS all_of_them FROM tool_audit_logs"
                                + " WHERE request_id = ?",
                        request)
                .getFirst()
                .get("all_of_them"));
    }

    private ServerProcess start(String name, DatabaseUrl database) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        return ServerProcess.withTrialTools(TrialDatabase.sharing(folder.resolve("files"), home, database), effects());
    }

    private Path effects() {
        return folder.resolve("effects.txt");
    }

    private static String call(String request) {
        return Client.call(request, "agent", "deploy", "{}");
    }
}
