package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.grant.Terms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server and its database are killed under load: answered calls stay recorded. */
@Timeout(1800)
class KilledServerTest {
    private static final int CALLS = 10_000;
    private static final int CLIENTS = 32;
    private static final String AGENT = "agent";

    @TempDir
    private Path home;

    private Receiver receiver;
    private final Map<String, String> answered = new HashMap<>();
    private final Set<String> sent = new HashSet<>();

    @BeforeEach
    void listen() throws IOException {
        receiver = new Receiver();
    }

    @AfterEach
    void stopListening() {
        receiver.close();
    }

    @Test
    void calls_answered_as_logged_are_recorded_even_if_the_server_is_killed() throws Exception {
        survives(3, 300, 3_000);
    }

    @Test
    @Tag("soak")
    void calls_answered_as_logged_are_recorded_after_twenty_kills() throws Exception {
        survives(20, 1, CALLS);
    }

    private void survives(int rounds, int soonest, int latest) throws Exception {
        prepare();
        int runs = 0;
        for (int round = 0; round < rounds; round++) {
            try (ServerProcess server = start()) {
                if (round > 0) {
                    runs += repeat(server, round - 1);
                }
                CallLoad storm = new CallLoad(server.client(), AGENT, "r" + round + "-", CALLS);
                storm.run(CLIENTS, ThreadLocalRandom.current().nextInt(soonest, latest), server::kill);
                answered.putAll(storm.logged());
                sent.addAll(storm.sent());
                System.out.printf(
                        "Killed after %d answers, %d of them logged%n",
                        storm.answers(), storm.logged().size());
            }
        }
        try (ServerProcess server = start()) {
            runs += repeat(server, rounds - 1);
            assertThat(server.stop()).isIn(0, 143);
        }
        assertThat(runs).as("calls that were cut short and sent again").isPositive();
        check();
    }

    private void prepare() throws Exception {
        TrialDatabase.embedded(home);
        Files.createFile(effects());
        // Every fourth call is refused, far above the limit of refused calls.
        Files.writeString(home.resolve("toolgate.yaml"), "limits: {refused: {calls: 0}}\n");
        try (ServerProcess server = start()) {
            assertThat(server.client().permissions(AGENT).status()).isEqualTo(200);
            server.stop();
        }
        try (TrialDatabase trial = TrialDatabase.in(home)) {
            for (String tool : List.of("look", "note", "stumble", "send")) {
                trial.grant(TrialDatabase.FIRST, AGENT, tool, Terms.PLAIN);
            }
        }
    }

    private Path effects() {
        return home.resolve("effects.txt");
    }

    private ServerProcess start() throws IOException {
        Map<String, String> environment = TrialDatabase.environment(home, null);
        receiver.into(environment);
        return ServerProcess.withTrialTools(environment, effects());
    }

    /** Repeats the calls sent before the kill: they get the first answer, and nothing runs twice. */
    private int repeat(ServerProcess server, int round) throws IOException {
        Client client = server.client();
        List<String> before = Files.readAllLines(effects());
        Set<String> done = new HashSet<>(before);
        int cutShort = 0;
        for (String request : sent) {
            boolean ran = done.contains(request);
            boolean open = !answered.containsKey(request);
            if (!request.startsWith("r" + round + "-") || !(open || (ran && request.endsWith("7")))) {
                continue;
            }
            Reply reply = client.execute(CallLoad.call(request, AGENT));
            if (!open) {
                assertThat(reply.text()).isEqualTo(answered.get(request));
            } else if (reply.logged()) {
                answered.put(request, reply.text());
                cutShort++;
            }
        }
        List<String> after = Files.readAllLines(effects());
        assertThat(after.subList(0, before.size())).isEqualTo(before);
        assertThat(after).doesNotHaveDuplicates();
        return cutShort;
    }

    private void check() throws IOException {
        List<String> ran = Files.readAllLines(effects());
        assertThat(ran).as("what ran, ran once").doesNotHaveDuplicates();
        try (TrialDatabase trial = TrialDatabase.in(home)) {
            Map<String, String> recorded = new HashMap<>();
            for (Map<String, Object> row : trial.rows("SELECT request_id, status FROM tool_audit_logs")) {
                String twice = recorded.put(String.valueOf(row.get("request_id")), String.valueOf(row.get("status")));
                assertThat(twice).as("one record of %s", row).isNull();
            }
            assertThat(recorded.keySet()).as("what was answered as logged").containsAll(answered.keySet());
            assertThat(recorded.keySet()).as("what had an effect").containsAll(ran);
            assertThat(receiver.arrivals())
                    .as("what a receiver outside has seen")
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
            assertThat(recorded.keySet()).as("what a receiver outside has seen").containsAll(receiver.arrivals());
            Set<String> effective = new HashSet<>(ran);
            assertThat(recorded.entrySet())
                    .filteredOn(entry ->
                            CallLoad.isNote(entry.getKey()) && entry.getValue().equals("COMPLETED"))
                    .allSatisfy(entry -> assertThat(effective).contains(entry.getKey()));
            assertThat(trial.count("SELECT count(*) FROM tool_intents")).isZero();
            AuditChain.Report report = trial.audit().verify();
            assertThat(report.faults()).isEmpty();
            System.out.printf(
                    "%d records, %d of them interrupted, %d effects%n",
                    report.records(),
                    recorded.values().stream().filter("INTERRUPTED"::equals).count(),
                    ran.size());
        }
    }
}
