package dev.toolgate.server.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ModelAnswer;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.provider.Claude;
import dev.toolgate.chat.provider.ClaudeFrames;
import dev.toolgate.chat.provider.Ollama;
import dev.toolgate.chat.provider.OpenAi;
import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.server.config.InvalidSettings;
import dev.toolgate.server.config.ModelSettings;
import dev.toolgate.server.config.ServerSettings;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelProvidersTest {
    private static final TenantId OURS = new TenantId("default");
    private static final TenantId THEIRS = new TenantId("acme");
    private static final String KEY = "configured-key-0123456789";

    private static ModelSettings settings(Map<String, String> environment) {
        return ServerSettings.load(null, environment, Map.of()).models();
    }

    private static Map<String, String> claudeAt(ScriptedServer server) {
        return Map.of("ANTHROPIC_BASE_URL", server.address() + "/");
    }

    private static Secrets only(TenantId owner, String name, String value) {
        return (tenant, asked) -> tenant.equals(owner) && asked.equals(name) ? Optional.of(value) : Optional.empty();
    }

    @Test
    void without_settings_the_default_addresses_are_used() {
        try (ModelProviders providers = ModelProviders.of(settings(Map.of()), Secrets.NONE)) {
            assertThat(providers.names()).containsExactly("claude", "openai", "ollama");
            assertThat(providers.endpoints())
                    .containsExactly(
                            new ModelEndpoint("claude", Claude.ADDRESS, "ANTHROPIC_API_KEY"),
                            new ModelEndpoint("openai", OpenAi.ADDRESS, "OPENAI_API_KEY"),
                            new ModelEndpoint("ollama", Ollama.ADDRESS, "OLLAMA_API_KEY"));
            assertThat(providers.find("gemini", OURS)).isEmpty();
            assertThat(providers.endpoint("gemini")).isEmpty();
        }
    }

    @Test
    void the_environment_overrides_the_addresses() {
        ModelSettings settings = settings(Map.of(
                "ANTHROPIC_BASE_URL", "http://models.example.com:8080/anthropic",
                "OPENAI_BASE_URL", "http://127.0.0.1:9/v1",
                "OLLAMA_HOST", "gpu.example.com:1234"));
        assertThat(settings.claude().baseUrl()).isEqualTo(URI.create("http://models.example.com:8080/anthropic"));
        assertThat(settings.openai().baseUrl()).isEqualTo(URI.create("http://127.0.0.1:9/v1"));
        assertThat(settings.ollama().baseUrl()).isEqualTo(URI.create("http://gpu.example.com:1234"));
    }

    @ParameterizedTest
    @CsvSource({
        "ANTHROPIC_BASE_URL, https://me:planted@example.com, models.claude.base_url",
        "OPENAI_BASE_URL, https://example.com/v1?key=planted, models.openai.base_url",
        "OLLAMA_HOST, http://me:planted@example.com, models.ollama.host",
        "OLLAMA_HOST, ftp://planted, models.ollama.host",
        "OLLAMA_HOST, planted planted, models.ollama.host",
    })
    void an_invalid_address_or_one_with_a_secret_is_refused_without_quoting_it(
            String variable, String value, String named) {
        assertThatExceptionOfType(InvalidSettings.class)
                .isThrownBy(() -> settings(Map.of(variable, value)))
                .withMessageContaining(named)
                .withMessageNotContaining("planted");
    }

    @Test
    void a_tenants_key_is_used_for_this_tenant_only() throws Exception {
        try (ScriptedServer server = new ScriptedServer();
                ModelProviders providers =
                        ModelProviders.of(settings(claudeAt(server)), only(OURS, "ANTHROPIC_API_KEY", KEY))) {
            server.does(talk -> talk.say(200, new ClaudeFrames().models()));
            assertThat(provider(providers, OURS).listModels(null))
                    .containsExactly(new ModelInfo("one", "One"), new ModelInfo("two", "Two"));
            assertThat(server.request().line()).startsWith("GET /v1/models");
            assertThat(server.request().headers()).containsEntry("x-api-key", KEY);

            provider(providers, THEIRS).listModels(null);
            assertThat(server.request().headers()).doesNotContainKey("x-api-key");

            provider(providers, OURS).listModels(ProviderKey.of("their-own-key"));
            assertThat(server.request().headers()).containsEntry("x-api-key", "their-own-key");
        }
    }

    @Test
    void an_invalid_configured_key_is_named_without_its_value() throws Exception {
        try (ScriptedServer server = new ScriptedServer();
                ModelProviders providers = ModelProviders.of(
                        settings(claudeAt(server)), only(OURS, "ANTHROPIC_API_KEY", "planted\nplanted"))) {
            assertThatExceptionOfType(ProviderFailed.class)
                    .isThrownBy(() -> provider(providers, OURS).listModels(null))
                    .withMessageStartingWith("The secret ANTHROPIC_API_KEY must be set to a valid key")
                    .withMessageNotContaining("planted")
                    .satisfies(failed -> assertThat(failed.failure().kind()).isEqualTo(Kind.UNAUTHORISED));
            ModelAnswer answer = new ModelAnswer();
            ChatRequest question = ChatRequest.of("some-model", List.of(new Message.User("hello")));
            provider(providers, OURS).stream(question, answer::accept, new Cancellation());
            assertThat(answer.failure()).isNotNull();
            assertThat(String.valueOf(answer.failure()))
                    .contains("ANTHROPIC_API_KEY")
                    .doesNotContain("planted");
            assertThat(server.requests()).isEmpty();

            server.does(talk -> talk.say(200, new ClaudeFrames().models()));
            assertThat(provider(providers, OURS).listModels(ProviderKey.of("their-own-key")))
                    .hasSize(2);
        }
    }

    private static Provider provider(ModelProviders providers, TenantId tenant) {
        return providers.find("claude", tenant).orElseThrow();
    }
}
