package dev.toolgate.tools.search;

import dev.toolgate.core.call.TenantId;
import java.util.List;

/** Somebody who can be asked to search the web. */
public interface SearchProvider {

    /** What people call it. */
    String name();

    /**
     * What it finds, the best first.
     *
     * @throws SearchProblem if it cannot be asked, or does not answer
     */
    List<SearchResult> search(TenantId tenant, String query, int maxResults) throws SearchProblem, InterruptedException;
}
