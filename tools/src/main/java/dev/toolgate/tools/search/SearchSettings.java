package dev.toolgate.tools.search;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Who is asked to search.
 *
 * @param order who is asked, one after the other until one has found something
 * @param searxngUrl an instance of SearXNG
 * @param engines the engines it is to ask; empty for its own choice
 * @param braveUrl the Brave Search API, for tenants that have a key
 * @param patience how long each may take
 */
public record SearchSettings(
        List<Source> order, URI searxngUrl, List<String> engines, URI braveUrl, Duration patience) {

    /** Who can be asked. */
    public enum Source {
        SEARXNG,
        BRAVE
    }

    public SearchSettings {
        order = List.copyOf(order);
        engines = List.copyOf(engines);
    }
}
