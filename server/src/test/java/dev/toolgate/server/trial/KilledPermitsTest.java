package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gate that gives permits and a client that uses them, both killed at random: every effect had a permit, no permit
 * was used twice, and unreported permits are recorded as interrupted.
 */
class KilledPermitsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    private DatabaseUrl database;
    private ServerProcess gate;

    @BeforeEach
    void open() throws Exception {
        database = MigratedDatabase.fresh();
        Files.createFile(folder.resolve("tools"));
        gate = startedGate();
    }

    @AfterEach
    void close() {
        gate.close();
    }

    @Test
    @Timeout(900)
    void every_effect_has_one_permit_when_client_and_gate_are_killed() throws Exception {
        survives(100, 2, 3);
    }

    @Test
    @Tag("soak")
    @Timeout(1800)
    void every_effect_of_a_thousand_permits_has_one_after_thirty_kills() throws Exception {
        survives(1_000, 12, 18);
    }

    private void survives(int permits, int gateKills, int clientKills) throws Exception {
        prepare(gate.client());
        Process client = startedClient(permits);
        try (TrialDatabase trial = TrialDatabase.on(database)) {
            for (Kill kill : kills(permits, gateKills, clientKills)) {
                await().atMost(LONG).until(() -> count("effects") >= kill.after() || isDone());
                switch (kill.victim()) {
                    case GATE -> {
                        gate.kill();
                        gate = startedGate();
                    }
                    case CLIENT -> {
                        client.destroyForcibly().waitFor();
                        client = startedClient(permits);
                    }
                }
            }
            await().atMost(LONG).until(this::isDone);
            await().atMost(LONG).until(() -> trial.count("SELECT count(*) FROM tool_intents") == 0);
            check(trial, permits);
        } finally {
            client.destroyForcibly();
        }
    }

    private enum Victim {
        GATE,
        CLIENT
    }

    /**
     * @param after the number of effects before the kill
     */
    private record Kill(int after, Victim victim) {}

    private static List<Kill> kills(int permits, int gateKills, int clientKills) {
        List<Kill> kills = new ArrayList<>();
        for (int i = 0; i < gateKills + clientKills; i++) {
            kills.add(new Kill(
                    ThreadLocalRandom.current().nextInt(1, permits * 9 / 10),
                    i < gateKills ? Victim.GATE : Victim.CLIENT));
        }
        kills.sort((one, other) -> Integer.compare(one.after(), other.after()));
        System.out.println("Kills: " + kills);
        return kills;
    }

    private void check(TrialDatabase trial, int permits) throws IOException {
        List<String> started = PermitClient.lines(folder, "started");
        List<String> effects = PermitClient.lines(folder, "effects");
        List<String> acknowledged = PermitClient.lines(folder, "acknowledged");
        Map<String, String> recorded = new HashMap<>();
        for (Map<String, Object> row : trial.rows(
                "SELECT request_id, status, executed_by FROM tool_audit_logs WHERE tool_name = ?", PermitClient.TOOL)) {
            assertThat(recorded.put(String.valueOf(row.get("request_id")), String.valueOf(row.get("status"))))
                    .as("one record of %s", row)
                    .isNull();
            assertThat(row.get("executed_by")).isEqualTo("client");
        }
        Set<String> completed = with(recorded, "COMPLETED");
        Set<String> interrupted = with(recorded, "INTERRUPTED");
        System.out.printf(
                "%d asked for, %d had an effect, %d acknowledged, %d completed, %d interrupted%n",
                started.size(), effects.size(), acknowledged.size(), completed.size(), interrupted.size());

        assertThat(started).hasSize(permits).doesNotHaveDuplicates();
        assertThat(effects).as("no permit is used twice").doesNotHaveDuplicates();
        assertThat(recorded.keySet()).as("what had an effect").containsAll(effects);
        assertThat(started).as("what is on record").containsAll(recorded.keySet());
        assertThat(completed)
                .as("what was reported")
                .containsAll(acknowledged)
                .isSubsetOf(effects)
                .hasSizeGreaterThan(permits / 2);
        Set<String> unreported = new HashSet<>(recorded.keySet());
        unreported.removeAll(completed);
        assertThat(interrupted).as("what was not reported").isEqualTo(unreported);
        String one = acknowledged.getFirst();
        assertThat(gate.client()
                        .post("/api/v1/tools/authorize", PermitClient.authorize(one))
                        .json()
                        .path("outcome")
                        .asString(""))
                .as("a used permit is not given again")
                .isNotEqualTo("authorized");
        assertThat(trial.audit().verify().faults()).isEmpty();
    }

    private static Set<String> with(Map<String, String> recorded, String status) {
        return recorded.entrySet().stream()
                .filter(entry -> entry.getValue().equals(status))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static void prepare(Client admin) {
        Client.expect(201, admin.post("/api/v1/agents", "{\"agent_id\": \"" + PermitClient.AGENT + "\"}"));
        Client.expect(
                201, admin.send("PUT", "/api/v1/tools/external/" + PermitClient.TOOL, BodyPublishers.ofString("""
                                {"description": "Deploys", "danger": "safe", "input_schema": {"type": "object"}}""")));
        admin.grant(PermitClient.AGENT, PermitClient.TOOL);
    }

    // Restarts as a supervisor would: on a busy machine a gate may give up before the database has answered it.
    private ServerProcess startedGate() throws IOException {
        Path home = Files.createTempDirectory(folder, "gate");
        Map<String, String> environment = TrialDatabase.sharing(folder.resolve("files"), home, database);
        ServerProcess started = await().atMost(LONG)
                .ignoreExceptionsInstanceOf(IllegalStateException.class)
                .until(() -> ServerProcess.withTrialTools(environment, folder.resolve("tools")), _ -> true);
        Path url = Files.writeString(home.resolve("url"), started.client().url());
        Files.move(url, folder.resolve("url"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return started;
    }

    private Process startedClient(int permits) throws IOException {
        Path home = Files.createTempDirectory(folder, "client");
        Process started = ServerProcess.begin(
                Map.of("TOOLGATE_HOME", home.toString()),
                PermitClient.class,
                folder.toString(),
                Integer.toString(permits));
        Thread.ofVirtual().start(() -> started.inputReader().lines().forEach(_ -> {}));
        return started;
    }

    private int count(String file) throws IOException {
        return PermitClient.lines(folder, file).size();
    }

    private boolean isDone() throws IOException {
        return count("done") > 0;
    }
}
