package dev.toolgate.server.model;

import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.provider.Claude;
import dev.toolgate.chat.provider.ModelHttp;
import dev.toolgate.chat.provider.Ollama;
import dev.toolgate.chat.provider.OpenAi;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.server.config.ModelSettings;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The configured providers of language models, with one shared HTTP client. */
public final class ModelProviders implements AutoCloseable {
    private final ModelHttp http = new ModelHttp();
    private final List<Known> known;
    private final Secrets secrets;

    private ModelProviders(List<Known> known, Secrets secrets) {
        this.known = known;
        this.secrets = secrets;
    }

    private record Known(ModelEndpoint endpoint, Client client) {}

    @FunctionalInterface
    private interface Client {
        Provider of(ModelHttp http, URI address, Supplier<Optional<ProviderKey>> key);
    }

    /**
     * The providers at the configured addresses.
     *
     * @param secrets read for every request, so that a changed key takes effect at once
     */
    public static ModelProviders of(ModelSettings settings, Secrets secrets) {
        return new ModelProviders(
                List.of(
                        new Known(
                                new ModelEndpoint(Claude.NAME, settings.claude().baseUrl(), "ANTHROPIC_API_KEY"),
                                Claude::new),
                        new Known(
                                new ModelEndpoint(OpenAi.NAME, settings.openai().baseUrl(), "OPENAI_API_KEY"),
                                OpenAi::new),
                        new Known(
                                new ModelEndpoint(Ollama.NAME, settings.ollama().baseUrl(), "OLLAMA_API_KEY"),
                                Ollama::new)),
                secrets);
    }

    /** The names of the providers. */
    public List<String> names() {
        return endpoints().stream().map(ModelEndpoint::provider).toList();
    }

    /** The addresses of the providers. */
    public List<ModelEndpoint> endpoints() {
        return known.stream().map(Known::endpoint).toList();
    }

    /** The address of a provider. */
    public Optional<ModelEndpoint> endpoint(String name) {
        return endpoints().stream()
                .filter(endpoint -> endpoint.provider().equals(name))
                .findFirst();
    }

    /** The provider with this name, using the tenant's key if the caller sends none. */
    public Optional<Provider> find(String name, TenantId tenant) {
        return known.stream()
                .filter(provider -> provider.endpoint().provider().equals(name))
                .findFirst()
                .map(provider -> new KeyedProvider(
                        provider.client().of(http, provider.endpoint().baseUrl(), Optional::empty),
                        () -> key(provider.endpoint(), tenant)));
    }

    /**
     * The tenant's key for a provider.
     *
     * @throws Unavailable if it cannot be read or is not a valid key
     */
    public Optional<ProviderKey> key(ModelEndpoint endpoint, TenantId tenant) {
        return secrets.find(tenant, endpoint.secret())
                .filter(text -> !text.isBlank())
                .map(text -> {
                    try {
                        return ProviderKey.of(text);
                    } catch (IllegalArgumentException unusable) {
                        throw new Unavailable(
                                "The secret " + endpoint.secret() + " must be set to a valid key: "
                                        + unusable.getMessage(),
                                unusable);
                    }
                });
    }

    @Override
    public void close() {
        http.close();
    }
}
