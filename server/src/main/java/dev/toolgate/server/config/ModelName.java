package dev.toolgate.server.config;

import dev.toolgate.chat.provider.Claude;
import dev.toolgate.chat.provider.Ollama;
import dev.toolgate.chat.provider.OpenAi;
import java.util.List;

/**
 * One model of one provider, written {@code provider/model}.
 *
 * @param model the provider's name for it, which may contain slashes
 */
public record ModelName(String provider, String model) {
    private static final List<String> PROVIDERS = List.of(Claude.NAME, OpenAi.NAME, Ollama.NAME);

    /**
     * Parses the value of a setting.
     *
     * @throws IllegalArgumentException if the provider is unknown or the model is missing
     */
    public static ModelName parse(String text) {
        int slash = text.indexOf('/');
        ModelName name =
                slash < 0 ? new ModelName("", "") : new ModelName(text.substring(0, slash), text.substring(slash + 1));
        if (!PROVIDERS.contains(name.provider) || name.model.isBlank()) {
            throw new IllegalArgumentException(
                    "must be a provider and a model such as claude/claude-haiku-4-5; the providers are "
                            + String.join(", ", PROVIDERS));
        }
        return name;
    }

    @Override
    public String toString() {
        return provider + "/" + model;
    }
}
