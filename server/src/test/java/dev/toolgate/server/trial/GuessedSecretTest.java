package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A caller that sends guesses of the server's key through all doors and compares the responses. */
@Timeout(180)
class GuessedSecretTest {
    private static final int CANDIDATES = 40;

    @TempDir
    private Path folder;

    /** Candidates in the format of the key, including the key. */
    private static List<String> candidates() {
        Random random = new Random(7);
        List<String> all = new ArrayList<>();
        for (int number = 0; number < CANDIDATES; number++) {
            StringBuilder candidate = new StringBuilder();
            TrialDatabase.ADMIN_KEY
                    .chars()
                    .forEach(letter -> candidate.append(
                            Character.isDigit(letter)
                                    ? (char) ('0' + random.nextInt(10))
                                    : letter == '-' ? '-' : (char) ('a' + random.nextInt(26))));
            all.add(candidate.toString());
        }
        all.add(CANDIDATES / 2, TrialDatabase.ADMIN_KEY);
        return all;
    }

    private static String tellsNothing(String what, UnaryOperator<String> attempt) {
        Set<String> answers = new HashSet<>();
        for (String candidate : candidates()) {
            answers.add(attempt.apply(candidate)
                    .replace(candidate, "<candidate>")
                    .replaceAll("guess-\\d+", "<request>")
                    .replaceAll(
                            "\"(correlation_?[iI]d|id|hash|previous_hash|sequence|instance_id|timestamp"
                                    + "|execution_time_ms|executionTimeMs|arguments_digest)\":(\"[^\"]*\"|\\d+)",
                            "")
                    .replaceAll("hmac-sha256:[0-9a-f:]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<digest>"));
        }
        assertThat(answers).as(what).hasSize(1);
        return answers.iterator().next();
    }

    @Test
    void no_door_reveals_a_right_guess_of_the_servers_key() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        DatabaseUrl database = MigratedDatabase.fresh();
        try (TrialDatabase _ = TrialDatabase.on(database);
                ServerProcess server = ServerProcess.withTrialTools(
                        TrialDatabase.environment(home, database), Files.createFile(folder.resolve("effects.txt")))) {
            Client admin = server.client();
            admin.grant("agent", "file_write", "file_read", "note", "stumble", "bash");
            Client agent = admin.with(
                    admin.post("/api/v1/keys", "{\"role\": \"agent\", \"agent_id\": \"agent\", \"name\": \"guesser\"}")
                            .json()
                            .path("key")
                            .asString());
            int[] number = {0};

            for (String tool : List.of("note", "stumble", "forbidden")) {
                String _ = tellsNothing("execute of " + tool, candidate -> agent.execute(
                                "guess-" + number[0]++, "agent", tool, text("text", candidate))
                        .text());
            }
            assertThat(tellsNothing("a command that repeats it", candidate -> agent.execute(
                                    "guess-" + number[0]++, "agent", "bash", text("command", "echo " + candidate))
                            .text()))
                    .contains("<candidate>");
            String read = tellsNothing("a file that is written and read", candidate -> {
                agent.execute(
                        "guess-" + number[0]++,
                        "agent",
                        "file_write",
                        Json.MAPPER
                                .createObjectNode()
                                .put("path", "guess.txt")
                                .put("content", candidate)
                                .toString());
                return agent.execute("guess-" + number[0]++, "agent", "file_read", text("path", "guess.txt"))
                        .text();
            });
            assertThat(read).contains("<candidate>");
            String _ = tellsNothing("a path that does not exist", candidate -> agent.execute(
                            "guess-" + number[0]++, "agent", "file_read", text("path", candidate))
                    .text());
            String _ = tellsNothing("an argument that does not fit", candidate -> agent.execute(
                            "guess-" + number[0]++, "agent", "note", text(candidate, "x"))
                    .text());
            String _ = tellsNothing("the door of front ends", candidate -> agent.post(
                            "/execute-tool", "{\"tool\": \"note\", \"args\": " + text("text", candidate) + "}")
                    .text());
            String _ = tellsNothing("the record, as its reader sees it", candidate -> {
                String request = "guess-" + number[0]++;
                agent.execute(request, "agent", "note", text("text", candidate));
                return admin.get("/api/v1/audit/logs?request_id=" + request).text();
            });
        }
    }

    private static String text(String name, String value) {
        return Json.MAPPER.createObjectNode().put(name, value).toString();
    }
}
