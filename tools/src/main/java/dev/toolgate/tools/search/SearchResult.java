package dev.toolgate.tools.search;

/**
 * One thing that was found.
 *
 * @param content a piece of its text
 */
public record SearchResult(String title, String url, String content) {}
