package dev.toolgate.tools.search;

import dev.toolgate.core.call.TenantId;
import java.util.List;

/** A web search service. */
public interface SearchProvider {

    /** Its name for messages. */
    String name();

    /**
     * Searches the web; returns the best results first.
     *
     * @throws SearchProblem if the search fails
     */
    List<SearchResult> search(TenantId tenant, String query, int maxResults) throws SearchProblem, InterruptedException;
}
