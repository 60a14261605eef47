package dev.toolgate.tools.search;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Secrets;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Searches with the Brave Search API, with the tenant's own key. */
final class BraveProvider implements SearchProvider {
    /** The name of the secret. */
    static final String KEY = "BRAVE_API_KEY";

    private final URI baseUrl;
    private final Secrets secrets;
    private final JsonClient client;

    BraveProvider(URI baseUrl, Secrets secrets, JsonClient client) {
        this.baseUrl = baseUrl;
        this.secrets = secrets;
        this.client = client;
    }

    @Override
    public String name() {
        return "Brave";
    }

    @Override
    public List<SearchResult> search(TenantId tenant, String query, int maxResults)
            throws SearchProblem, InterruptedException {
        String key = secrets.find(tenant, KEY)
                .filter(found -> found.chars().allMatch(c -> c > ' ' && c < 127))
                .orElseThrow(() -> new SearchProblem("has no key; set " + KEY));
        String queryString = "q=" + QueryText.encode(query) + "&count=" + maxResults;
        JsonNode answer = client.get(
                QueryText.resolve(baseUrl, "/res/v1/web/search?" + queryString), Map.of("X-Subscription-Token", key));
        List<SearchResult> results = new ArrayList<>();
        for (JsonNode result : answer.path("web").path("results")) {
            if (results.size() < maxResults) {
                QueryText.result(result, "title", "url", "description").ifPresent(results::add);
            }
        }
        return results;
    }
}
