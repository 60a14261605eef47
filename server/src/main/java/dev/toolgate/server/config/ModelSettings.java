package dev.toolgate.server.config;

import dev.toolgate.chat.provider.OllamaHost;
import dev.toolgate.core.setting.Setting;
import java.net.URI;

/**
 * Settings of language models. Their API keys are secrets of each tenant: {@code ANTHROPIC_API_KEY},
 * {@code OPENAI_API_KEY} and, for a hosted Ollama, {@code OLLAMA_API_KEY}.
 */
public record ModelSettings(
        @Setting("Models of Anthropic.") ClaudeSection claude,

        @Setting("Models of OpenAI or of an OpenAI-compatible server.")
        OpenAiSection openai,

        @Setting("Models of Ollama.") OllamaSection ollama) {

    /** The address of Claude. */
    public record ClaudeSection(
            @Setting(
                    value = "The base URL of the Messages API, without /v1.",
                    defaultValue = "https://api.anthropic.com",
                    env = "ANTHROPIC_BASE_URL")
            URI baseUrl) {
        public ClaudeSection {
            checkPlain("base_url", baseUrl);
        }
    }

    /** The address of OpenAI or a compatible server. */
    public record OpenAiSection(
            @Setting(
                    value = "The base URL of the Chat Completions API, with /v1 if the server uses it.",
                    defaultValue = "https://api.openai.com/v1",
                    env = "OPENAI_BASE_URL")
            URI baseUrl) {
        public OpenAiSection {
            checkPlain("base_url", baseUrl);
        }
    }

    /** The address of Ollama. */
    public record OllamaSection(
            @Setting(
                    value = "The address of Ollama: a host, host:port or URL.",
                    defaultValue = "127.0.0.1:11434",
                    env = "OLLAMA_HOST",
                    minLength = 1)
            String host) {
        private static final String MUST = "host: must be a host, host:port or an http(s) URL, without a password";

        public OllamaSection {
            // OllamaHost would drop a password silently, but the setting would still show it.
            if (host.contains("@") || !isAddress(host)) {
                throw new IllegalArgumentException(MUST);
            }
        }

        /** The address to connect to. */
        public URI baseUrl() {
            return OllamaHost.parse(host);
        }

        private static boolean isAddress(String host) {
            try {
                return OllamaHost.parse(host).getHost() != null;
            } catch (IllegalArgumentException _) {
                return false; // its message would quote the value
            }
        }
    }

    private static void checkPlain(String key, URI url) {
        if (url.getHost() == null
                || url.getRawUserInfo() != null
                || url.getRawQuery() != null
                || url.getRawFragment() != null) {
            throw new IllegalArgumentException(key + ": must be a URL with a host and without user, password or query");
        }
    }
}
