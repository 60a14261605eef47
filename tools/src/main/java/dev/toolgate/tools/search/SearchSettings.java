package dev.toolgate.tools.search;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Who is asked to search the web; the key for Brave is a secret, {@code BRAVE_API_KEY}. */
public record SearchSettings(
        @Setting(
                value = "Who is asked, one after the other until one has found something.",
                initial = "searxng,brave",
                shortest = 1)
        List<Source> order,

        @Setting(
                value = "An instance of SearXNG that answers in JSON.",
                initial = "http://localhost:8080",
                env = "SEARXNG_URL")
        URI searxngUrl,

        @Setting(value = "The engines SearXNG is to ask; empty for its own choice.", initial = "bing,duckduckgo,brave")
        List<String> engines,

        @Setting(value = "The Brave Search API, for tenants that have a key.", initial = "https://api.search.brave.com")
        URI braveUrl,

        @Setting(value = "How long each of them may take.", initial = "10s", least = "100ms", most = "25s")
        Duration timeout) {

    /** Who can be asked. */
    public enum Source {
        SEARXNG,
        BRAVE
    }

    public SearchSettings {
        order = List.copyOf(order);
        engines = List.copyOf(engines);
        if (Set.copyOf(order).size() < order.size()) {
            throw new IllegalArgumentException("order: must not name a provider twice");
        }
    }
}
