package dev.toolgate.tools.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One search result.
 *
 * @param content a snippet of its text
 * @param score its relevance, higher is better; {@code null} if the provider has none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SearchResult(
        String title, String url, String content, @Nullable Double score) {}
