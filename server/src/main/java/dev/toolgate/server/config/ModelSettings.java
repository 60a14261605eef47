package dev.toolgate.server.config;

import dev.toolgate.chat.provider.OllamaHost;
import dev.toolgate.core.setting.Setting;
import java.net.URI;

/**
 * Where the language models are. The keys are secrets of each tenant: {@code ANTHROPIC_API_KEY},
 * {@code OPENAI_API_KEY} and, for a hosted Ollama, {@code OLLAMA_API_KEY}.
 */
public record ModelSettings(
        @Setting("Models of Anthropic.") ClaudeSection claude,

        @Setting("Models of OpenAI, or of any server that speaks like it.")
        OpenAiSection openai,

        @Setting("Models that Ollama runs.") OllamaSection ollama) {

    /** Where Claude is. */
    public record ClaudeSection(
            @Setting(
                    value = "The server of the Messages API, without /v1.",
                    initial = "https://api.anthropic.com",
                    env = "ANTHROPIC_BASE_URL")
            URI baseUrl) {
        public ClaudeSection {
            checkPlain("base_url", baseUrl);
        }
    }

    /** Where OpenAI, or what takes its place, is. */
    public record OpenAiSection(
            @Setting(
                    value = "The server of the Chat Completions API, with /v1 if its addresses have it.",
                    initial = "https://api.openai.com/v1",
                    env = "OPENAI_BASE_URL")
            URI baseUrl) {
        public OpenAiSection {
            checkPlain("base_url", baseUrl);
        }
    }

    /** Where Ollama is. */
    public record OllamaSection(
            @Setting(
                    value = "A host, host:port or URL.",
                    initial = "127.0.0.1:11434",
                    env = "OLLAMA_HOST",
                    shortest = 1)
            String host) {
        private static final String MUST = "host: must be a host, host:port or an http(s) URL, without a password";

        public OllamaSection {
            // OllamaHost leaves a password out, and the setting would go on showing it.
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
                return false; // its message would quote what was written
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
