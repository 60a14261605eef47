package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.json.Json;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in requests and settings must not leak. */
@Timeout(120)
class SecretsTest {
    @TempDir
    private Path folder;

    @Test
    void no_secret_is_in_the_database_in_logs_in_answers_or_in_metrics() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path effects = Files.createFile(folder.resolve("effects.txt"));
        DatabaseUrl database = MigratedDatabase.fresh();
        Map<String, String> environment = TrialDatabase.environment(home, database);
        environment.put("LOG_LEVEL", "trace");
        environment.put("LOG_FORMAT", "json");
        List<String> said = new ArrayList<>();
        Map<String, String> secrets = new LinkedHashMap<>();
        secrets.put("the admin key", TrialDatabase.ADMIN_KEY);
        secrets.put("the database's password", database.password());
        secrets.put("a value under a telling name", "hunter2-of-the-trial");
        secrets.put("a token in a text", "ghp_" + "a1B2c3D4e5F6".repeat(3));
        secrets.put("a bearer in a text", "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4");

        try (TrialDatabase trial = TrialDatabase.on(database);
                ServerProcess server = ServerProcess.withTrialTools(environment, effects)) {
            Client admin = server.client();
            String key = admin.post("/api/v1/keys", "{\"role\": \"orchestrator\", \"name\": \"trial\"}")
                    .json()
                    .path("key")
                    .asString();
            assertThat(key).startsWith("tg_");
            secrets.put("a key that was made", key);
            admin.grant("agent", "note", "stumble", "broken");

            Client holder = admin.with(key);
            said.add(admin.get("/api/v1/keys").text());
            said.add(admin.get("/api/v1/whoami").text());
            said.add(holder.get("/api/v1/whoami").text());
            for (String tool : List.of("note", "stumble", "broken", "forbidden")) {
                said.add(holder.execute("secret-" + tool, "agent", tool, planted(secrets))
                        .text());
            }
            said.add(holder.execute(Client.call("secret-operation", "agent", "note", "{}")
                            .replace("\"trial\"", "\"" + secrets.get("a token in a text") + "\""))
                    .text());
            said.add(holder.execute(
                            "secret-unknown", "agent", "note", planted(secrets).replace("text", "password"))
                    .text());
            said.add(admin.with(key.substring(0, key.length() - 3))
                    .get("/api/v1/whoami")
                    .text());
            said.add(admin.with("wrong-" + key).get("/api/v1/whoami").text());
            said.add(admin.post("/api/v1/console/session", "{\"key\": \"" + key + "\"}")
                    .text());
            said.add(admin.post("/api/v1/console/session", "{\"key\": \"" + key + "\", \"surprise\": 1}")
                    .text());
            said.add(admin.get("/metrics").text());
            said.add(admin.get("/health").text());
            said.add(admin.get("/api/v1/audit/logs").text());
            said.add(admin.get("/api/v1/audit/export").text());
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> trial.count("SELECT count(*) FROM api_keys WHERE last_used_at IS NOT NULL") > 1);
            server.stop();

            assertThat(String.join("\n", said)).contains("secret-note", "toolgate_");
            String stored = everything(trial);
            assertThat(stored).contains("secret-note", "secret-stumble", "secret-forbidden");
            String logged = Files.readString(home.resolve(ServerProcess.LOG));
            assertThat(logged).contains("secret-broken", "Broke over");
            secrets.forEach((what, secret) -> {
                assertThat(String.join("\n", said)).as("%s in answers", what).doesNotContain(secret);
                assertThat(stored).as("%s in the database", what).doesNotContain(secret);
                assertThat(logged).as("%s in the log", what).doesNotContain(secret);
            });
        }
    }

    /** All secrets in one text, and one in a field with a telling name. */
    private static String planted(Map<String, String> secrets) {
        return Json.MAPPER
                .createObjectNode()
                .put(
                        "text",
                        "password=" + secrets.get("a value under a telling name") + " and "
                                + secrets.get("a token in a text") + ", Authorization: Bearer "
                                + secrets.get("a bearer in a text") + " with " + secrets.get("a key that was made")
                                + " of " + secrets.get("the admin key") + " at "
                                + secrets.get("the database's password"))
                .toString();
    }

    /** Every row of every table, kept answers included. */
    private static String everything(TrialDatabase trial) {
        StringBuilder all = new StringBuilder();
        trial.rows("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
                .forEach(table -> all.append(
                        trial.rows("SELECT to_jsonb(t)::text AS line FROM " + table.get("table_name") + " t")));
        return all.toString();
    }
}
