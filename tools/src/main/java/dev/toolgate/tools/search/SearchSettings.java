package dev.toolgate.tools.search;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Who is asked to search.
 *
 * @param searxngUrl an instance of SearXNG, asked first
 * @param engines the engines it is to ask; empty for its own choice
 * @param braveUrl the Brave Search API, asked when SearXNG has nothing and the tenant has a key
 * @param patience how long each may take
 */
public record SearchSettings(URI searxngUrl, List<String> engines, URI braveUrl, Duration patience) {
    public SearchSettings {
        engines = List.copyOf(engines);
    }
}
