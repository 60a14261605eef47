package dev.toolgate.tools.search;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Settings of web search; the key for Brave is a secret, {@code BRAVE_API_KEY}. */
public record SearchSettings(
        @Setting(
                value = "The providers, tried in this order until one has results.",
                defaultValue = "searxng,brave",
                minLength = 1)
        List<Source> order,

        @Setting(
                value = "The URL of a SearXNG instance with the JSON format enabled.",
                defaultValue = "http://localhost:8080",
                env = "SEARXNG_URL")
        URI searxngUrl,

        @Setting(
                value = "The engines SearXNG uses; empty for its own defaults.",
                defaultValue = "bing,duckduckgo,brave")
        List<String> engines,

        @Setting(
                value = "The URL of the Brave Search API, for tenants that have a key.",
                defaultValue = "https://api.search.brave.com")
        URI braveUrl,

        @Setting(value = "The time limit of each provider.", defaultValue = "10s", min = "100ms", max = "25s")
        Duration timeout) {

    /** A search provider. */
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
