package dev.toolgate.server.door.model;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.provider.ClaudeFrames;
import dev.toolgate.chat.provider.OllamaFrames;
import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderRoutesTest {
    private static final String KEY = "planted-configured-key-4711";
    private static final String OWN = "planted-own-key-0815";
    private static final String MODELS = "/api/v1/providers/claude/models";
    private static final String CREDENTIALS = "/api/v1/providers/claude/credentials";

    @TempDir
    private static Path folder;

    private static ScriptedServer claude;
    private static ScriptedServer ollama;
    private static RunningServer server;
    private static String gone;

    @BeforeAll
    static void start() throws Exception {
        claude = new ScriptedServer();
        ollama = new ScriptedServer();
        Path key = Files.writeString(folder.resolve("key"), KEY + "\n");
        Path unusable = Files.writeString(folder.resolve("unusable"), "planted words");
        ScriptedServer closed = new ScriptedServer();
        gone = closed.address() + "/v1";
        server = RunningServer.start(
                Files.createDirectory(folder.resolve("home")),
                Map.of(
                        "models.claude.base_url",
                        claude.address().toString(),
                        "models.openai.base_url",
                        gone,
                        "models.ollama.host",
                        ollama.address().getAuthority(),
                        "secrets",
                        "{\"default\": {\"ANTHROPIC_API_KEY\": \"file:" + key
                                + "\"}, \"acme\": {\"OPENAI_API_KEY\": \"file:" + unusable + "\"}}"));
        closed.close();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        claude.close();
        ollama.close();
    }

    @Test
    void providers_are_listed_with_address_and_key_status() {
        Reply ours = server.admin().get("/api/v1/providers");
        assertThat(ours.each("name")).containsExactly("claude", "openai", "ollama");
        assertThat(ours.json().path(0).path("base_url").asString())
                .isEqualTo(claude.address().toString());
        assertThat(ours.each("key_configured")).containsExactly("true", "false", "false");
        assertThat(ours.text()).doesNotContain(KEY);

        assertThat(server.as(ACME, Role.AGENT).get("/api/v1/providers").each("key_configured"))
                .containsExactly("false", "false", "false");
    }

    @Test
    void models_are_listed_with_the_tenants_key_or_the_callers_own() {
        claude.does(talk -> talk.say(200, new ClaudeFrames().models()));
        Reply models = server.as(FIRST, Role.AGENT).get(MODELS);
        assertThat(models.text()).isEqualTo("[{\"id\":\"one\",\"name\":\"One\"},{\"id\":\"two\",\"name\":\"Two\"}]");
        assertThat(claude.request().headers()).containsEntry("x-api-key", KEY);

        server.admin().with("X-Provider-Key", OWN).get(MODELS);
        assertThat(claude.request().headers()).containsEntry("x-api-key", OWN);

        server.as(ACME, Role.ADMIN).get(MODELS);
        assertThat(claude.request().headers()).doesNotContainKey("x-api-key");
    }

    @Test
    void a_provider_that_needs_no_key_is_asked_without_one() {
        ollama.does(talk -> talk.say(200, new OllamaFrames().models()));
        assertThat(server.admin().get("/api/v1/providers/ollama/models").each("id"))
                .containsExactly("one", "two");
        assertThat(ollama.request().headers()).doesNotContainKey("authorization");
    }

    @Test
    void a_key_in_the_query_is_refused_before_the_provider_is_asked() {
        int before = claude.requests().size();
        assertThat(server.admin().get(MODELS + "?key=" + OWN).status()).isEqualTo(400);
        assertThat(server.admin()
                        .with("X-Provider-Key", "with blank " + OWN)
                        .get(MODELS)
                        .status())
                .isEqualTo(400);
        assertThat(claude.requests()).hasSize(before);
    }

    @Test
    void a_rejected_key_is_reported_without_quoting_the_provider() {
        // Like a careless provider, it repeats the key.
        claude.does(talk -> talk.say(
                401, new ClaudeFrames().refusal("no such key " + talk.request().headers())));
        Reply configured = server.admin().get(MODELS);
        assertThat(configured.status()).isEqualTo(400);
        assertThat(configured.errorCode()).isEqualTo("INVALID_REQUEST");
        assertThat(configured.message()).isEqualTo("The provider claude accepts no request without a valid key.");
        assertThat(configured.remediation()).isEqualTo("Set the secret ANTHROPIC_API_KEY, or send a key of your own.");

        Reply own = server.admin().with("X-Provider-Key", OWN).get(MODELS);
        assertThat(own.message()).isEqualTo("The provider claude did not accept the key that was sent.");
        assertThat(own.remediation()).isEqualTo("Send a valid key, or none to use the secret ANTHROPIC_API_KEY.");
        Reply checked = server.admin().post(CREDENTIALS, "{\"api_key\": \"" + OWN + "\"}");
        assertThat(configured.text() + own.text() + checked.text())
                .doesNotContain(KEY)
                .doesNotContain(OWN);
    }

    @Test
    void an_invalid_configured_key_is_reported_without_quoting_it() {
        Reply models = server.as(ACME, Role.ADMIN).get("/api/v1/providers/openai/models");
        assertThat(models.status()).isEqualTo(400);
        assertThat(models.message()).startsWith("The secret OPENAI_API_KEY must be set to a valid key");
        assertThat(models.remediation()).isEqualTo("Set the secret OPENAI_API_KEY, or send a key of your own.");
        Reply checked = server.as(ACME, Role.ADMIN).post("/api/v1/providers/openai/credentials", "{}");
        assertThat(checked.json().path("valid").asBoolean(true)).isFalse();
        assertThat(checked.json().path("reason").asString()).contains("Set the secret OPENAI_API_KEY");
        assertThat(models.text() + checked.text()).doesNotContain("planted");
    }

    @Test
    void other_provider_errors_are_repeated_without_the_key() {
        claude.does(talk -> talk.say(
                404,
                new ClaudeFrames()
                        .refusal("nothing for " + talk.request().headers().get("x-api-key"))));
        Reply configured = server.admin().get(MODELS);
        assertThat(configured.status()).isEqualTo(502);
        assertThat(configured.message())
                .contains("answered 404")
                .contains("nothing for")
                .doesNotContain("address");
        assertThat(configured.remediation()).isEqualTo("Check the provider's address, " + claude.address() + ".");
        Reply own = server.admin().with("X-Provider-Key", OWN).get(MODELS);
        assertThat(configured.text() + own.text()).doesNotContain(KEY).doesNotContain(OWN);
    }

    @Test
    void a_rate_limit_of_a_provider_has_a_retry_after() {
        claude.does(talk -> talk.say(429, new ClaudeFrames().refusal("slow down"), "retry-after: 17"));
        Reply reply = server.admin().get(MODELS);
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.errorCode()).isEqualTo("RATE_LIMITED");
        assertThat(reply.header("Retry-After")).contains("17");
        assertThat(reply.remediation()).isEqualTo("Ask the provider again in a moment.");
        claude.does(talk -> talk.say(529, new ClaudeFrames().refusal("overloaded")));
        assertThat(server.admin().get(MODELS).remediation()).isEqualTo("Ask the provider again in a moment.");
    }

    @Test
    void an_unreachable_provider_is_a_retryable_error() {
        Reply reply = server.admin().get("/api/v1/providers/openai/models");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.errorCode()).isEqualTo("SERVICE_UNAVAILABLE");
        assertThat(reply.json().path("error").path("retryable").asBoolean()).isTrue();
        assertThat(reply.message()).contains("the connection was refused");
        assertThat(reply.header("Retry-After")).isPresent();
        assertThat(reply.remediation())
                .isEqualTo("Check that " + gone + " is the right address and that its server runs, then ask again.");
        assertThat(server.admin()
                        .post("/api/v1/providers/openai/credentials", "{}")
                        .status())
                .isEqualTo(503);
    }

    @Test
    void keys_are_validated_with_the_provider() {
        claude.does(talk -> talk.say(
                OWN.equals(talk.request().headers().get("x-api-key")) ? 200 : 403, new ClaudeFrames().models()));
        assertThat(server.admin()
                        .post(CREDENTIALS, "{\"api_key\": \"" + OWN + "\"}")
                        .text())
                .isEqualTo("{\"valid\":true,\"reason\":null}");
        Reply configured = server.admin().post(CREDENTIALS, "{}");
        assertThat(configured.json().path("valid").asBoolean(true)).isFalse();
        assertThat(configured.json().path("reason").asString())
                .isEqualTo("The provider claude accepts no request without a valid key."
                        + " Set the secret ANTHROPIC_API_KEY, or send a key of your own.");
        assertThat(server.admin().post(CREDENTIALS, "{\"api_key\": \"\"}").message())
                .contains("Field 'api_key'");
    }

    @Test
    void an_unknown_provider_is_not_found() {
        assertThat(server.admin().get("/api/v1/providers/gemini/models").message())
                .isEqualTo("There is no provider 'gemini'; there are claude, openai, ollama.");
    }
}
