package dev.toolgate.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Who is asked to search the web; the key for Brave is a secret, {@code BRAVE_API_KEY}. */
public record SearchSection(
        @Setting(
                value = "An instance of SearXNG that answers in JSON; asked first.",
                initial = "http://localhost:8080",
                env = "SEARXNG_URL")
        URI searxngUrl,

        @Setting(value = "The engines SearXNG is to ask; empty for its own choice.", initial = "bing,duckduckgo,brave")
        List<String> engines,

        @Setting(
                value = "The Brave Search API; asked when SearXNG finds nothing and there is a key.",
                initial = "https://api.search.brave.com")
        URI braveUrl,

        @Setting(value = "How long each of them may take.", initial = "10s", least = "100ms", most = "25s")
        Duration timeout) {
    public SearchSection {
        engines = List.copyOf(engines);
    }
}
