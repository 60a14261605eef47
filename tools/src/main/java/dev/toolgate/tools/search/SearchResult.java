package dev.toolgate.tools.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was found.
 *
 * @param content a piece of its text
 * @param score how well it fits, the higher the better, where the provider says so
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SearchResult(
        String title, String url, String content, @Nullable Double score) {}
