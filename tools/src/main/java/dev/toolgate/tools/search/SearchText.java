package dev.toolgate.tools.search;

import java.util.List;

/** Formats results for a model: a numbered list of title, URL and snippet. */
final class SearchText {
    private SearchText() {}

    static String numbered(List<SearchResult> results) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < results.size(); i++) {
            SearchResult result = results.get(i);
            text.append(i == 0 ? "" : "\n\n")
                    .append(i + 1)
                    .append(". ")
                    .append(result.title())
                    .append("\n   ")
                    .append(result.url());
            if (!result.content().isEmpty()) {
                text.append("\n   ").append(result.content());
            }
        }
        return text.toString();
    }
}
