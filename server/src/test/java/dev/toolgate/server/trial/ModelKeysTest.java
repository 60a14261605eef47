package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.model.Usage;
import dev.toolgate.chat.provider.ClaudeFrames;
import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** API keys of language models, configured or sent by callers, must not leak. */
@Timeout(120)
class ModelKeysTest {
    private static final String KEY = "planted-configured-key-4711";
    private static final String OWN = "planted-own-key-0815";

    @TempDir
    private Path folder;

    @Test
    void planted_keys_are_not_in_answers_records_or_logs() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        DatabaseUrl own = MigratedDatabase.fresh();
        try (ScriptedServer claude = new ScriptedServer();
                ScriptedServer site = new ScriptedServer()) {
            site.does(talk -> talk.say(200, "<p>Children pay nothing.</p>", "content-type: text/html"));
            Files.writeString(
                    home.resolve("toolgate.yaml"), """
                    tools: {web: {summary_model: claude/some-model, rendering: 'off'}}
                    network: {internal_places: {default: ['%s']}}
                    """.formatted(site.address().getAuthority()));
            Map<String, String> environment = TrialDatabase.environment(home, own);
            environment.put("LOG_LEVEL", "trace");
            environment.put("ANTHROPIC_API_KEY", KEY);
            environment.put("ANTHROPIC_BASE_URL", claude.address().toString());

            List<String> said = new ArrayList<>();
            try (TrialDatabase trial = TrialDatabase.on(own);
                    ServerProcess server =
                            ServerProcess.withTrialTools(environment, Files.createFile(folder.resolve("effects")))) {
                Client admin = server.client();
                admin.grant("agent", "browse_web");
                String page = "{\"url\": \"" + site.address() + "/\", \"task_description\": \"Who pays?\"}";

                // First a normal answer, then that of a careless provider that repeats the key.
                claude.does(talk -> talk.begin()
                        .send(new ClaudeFrames().text(List.of("Nobody does, says " + KEY), new Usage(5, 3)))
                        .end());
                said.add(admin.execute("good", "agent", "browse_web", page).text());
                assertThat(said.getFirst()).contains("Nobody does", "claude/some-model");
                assertThat(claude.request().headers()).containsEntry("x-api-key", KEY);

                for (int status : List.of(401, 404, 429, 500)) {
                    claude.does(talk -> talk.say(
                            status,
                            new ClaudeFrames()
                                    .refusal("not with "
                                            + talk.request().headers().get("x-api-key")),
                            "retry-after: 60"));
                    said.add(admin.execute("bad" + status, "agent", "browse_web", page)
                            .text());
                    said.add(admin.get("/api/v1/providers/claude/models").text());
                    said.add(withOwnKey(admin, "/api/v1/providers/claude/models"));
                    assertThat(claude.request().headers()).containsEntry("x-api-key", OWN);
                    said.add(admin.post("/api/v1/providers/claude/credentials", "{}")
                            .text());
                    said.add(admin.post("/api/v1/providers/claude/credentials", "{\"api_key\": \"" + OWN + "\"}")
                            .text());
                    assertThat(claude.request().headers()).containsEntry("x-api-key", OWN);
                }
                assertThat(String.join("\n", said)).contains("summary_fallback", "Children pay nothing");
                said.add(admin.get("/api/v1/providers").text());
                said.add(admin.get("/api/v1/audit/logs").text());
                said.add(admin.get("/metrics").text());
                server.stop();

                String stored = RemoteSecretsTest.everything(trial);
                assertThat(stored).contains("browse_web");
                String logged = Files.readString(home.resolve(ServerProcess.LOG));
                assertThat(logged).isNotEmpty();
                for (String planted : List.of(KEY, OWN)) {
                    assertThat(String.join("\n", said)).as("answers").doesNotContain(planted);
                    assertThat(stored).as("the database").doesNotContain(planted);
                    assertThat(logged).as("the log").doesNotContain(planted);
                    assertThat(RemoteSecretsTest.files(home)).as("files").doesNotContain(planted);
                }
            }
        }
    }

    private static String withOwnKey(Client client, String path) throws Exception {
        HttpRequest request = client.request("GET", path, BodyPublishers.noBody())
                .header("X-Provider-Key", OWN)
                .build();
        return client.http().send(request, BodyHandlers.ofString()).body();
    }
}
