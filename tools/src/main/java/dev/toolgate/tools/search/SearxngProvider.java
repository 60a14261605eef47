package dev.toolgate.tools.search;

import dev.toolgate.core.call.TenantId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Searches with a SearXNG instance, whose settings must enable the JSON format. */
final class SearxngProvider implements SearchProvider {
    private final URI baseUrl;
    private final List<String> engines;
    private final JsonClient client;

    SearxngProvider(URI baseUrl, List<String> engines, JsonClient client) {
        this.baseUrl = baseUrl;
        this.engines = List.copyOf(engines);
        this.client = client;
    }

    @Override
    public String name() {
        return "SearXNG";
    }

    @Override
    public List<SearchResult> search(TenantId tenant, String query, int maxResults)
            throws SearchProblem, InterruptedException {
        String queryString = "q=" + QueryText.encode(query) + "&format=json"
                + (engines.isEmpty() ? "" : "&engines=" + QueryText.encode(String.join(",", engines)));
        JsonNode answer = client.get(QueryText.resolve(baseUrl, "/search?" + queryString), Map.of());
        List<SearchResult> results = new ArrayList<>();
        for (JsonNode result : answer.path("results")) {
            if (results.size() < maxResults) {
                QueryText.result(result, "title", "url", "content").ifPresent(results::add);
            }
        }
        return results;
    }
}
