package dev.toolgate.tools.search;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code web_search}: tries one provider after another until one has results. */
public final class WebSearchTool implements Tool<WebSearchTool.Arguments>, AutoCloseable {
    private static final int DEFAULT_RESULTS = 5;
    private static final int MAX_RESULTS = 20;
    private static final int MAX_QUERY_LENGTH = 2000;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "web_search",
                    Arguments.class,
                    Category.SEARCH,
                    "Search.Web",
                    "Search the web; returns titles, addresses and snippets")
            .sending()
            .returning(Result.class)
            .within(Duration.ofMinutes(1));

    private final List<SearchProvider> providers;
    private final JsonClient client;

    private WebSearchTool(List<SearchProvider> providers, JsonClient client) {
        this.providers = List.copyOf(providers);
        this.client = client;
    }

    /** Uses the configured providers in their order. */
    public static WebSearchTool of(SearchSettings settings, Secrets secrets) {
        JsonClient client = JsonClient.with(settings.timeout());
        return new WebSearchTool(
                settings.order().stream()
                        .<SearchProvider>map(source -> switch (source) {
                            case SEARXNG -> new SearxngProvider(settings.searxngUrl(), settings.engines(), client);
                            case BRAVE -> new BraveProvider(settings.braveUrl(), secrets, client);
                        })
                        .toList(),
                client);
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "What to search for", minLength = 1)
            String query,

            @Param(value = "Maximum number of results", min = 1, max = MAX_RESULTS, defaultValue = "5")
            @JsonProperty("max_results")
            @Nullable
            Integer maxResults) {}

    /** The result. */
    public record Result(List<SearchResult> results) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        String query = arguments.query().strip();
        if (query.isEmpty() || query.length() > MAX_QUERY_LENGTH) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST, "Field 'query' must be 1 to " + MAX_QUERY_LENGTH + " characters");
        }
        int maxResults = arguments.maxResults() == null ? DEFAULT_RESULTS : arguments.maxResults();
        TenantId tenant = context.call().caller().tenant();
        List<String> problems = new ArrayList<>();
        SearchProvider foundNothing = null;
        for (SearchProvider provider : providers) {
            try {
                List<SearchResult> results = provider.search(tenant, query, maxResults);
                if (!results.isEmpty()) {
                    return output(provider, query, results, context);
                }
                foundNothing = foundNothing == null ? provider : foundNothing;
            } catch (SearchProblem problem) {
                problems.add(provider.name() + " " + problem.getMessage());
            }
        }
        if (foundNothing != null) {
            return output(foundNothing, query, List.of(), context);
        }
        throw new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED,
                "The web search failed: " + String.join("; ", problems)
                        + "; set SEARXNG_URL to a SearXNG instance with the JSON format enabled, or "
                        + BraveProvider.KEY
                        + " to a key of the Brave Search API");
    }

    private static Output output(
            SearchProvider provider, String query, List<SearchResult> results, ToolContext context) {
        String text = results.isEmpty() ? "No results for: " + query : SearchText.numbered(results);
        return Output.of(
                        HeadTail.fit(text, context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES)),
                        new Result(results))
                .with(Map.of("provider", provider.name(), "resultCount", results.size()));
    }

    @Override
    public void close() {
        client.close();
    }
}
