package dev.toolgate.tools.web;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A summary of a page and how it was created.
 *
 * @param by {@link #EXTRACT}, or the name of the model
 * @param fallback why the configured model was not used; {@code null} if nothing failed
 */
public record Summary(String text, String by, @Nullable String fallback) {
    /** Sentences of the page, selected without a model. */
    public static final String EXTRACT = "extract";

    /** A summary of sentences of the page. */
    public static Summary extracted(String text) {
        return new Summary(text, EXTRACT, null);
    }

    /** The same summary, marked as a fallback with its reason. */
    public Summary because(String reason) {
        return new Summary(text, by, reason);
    }

    /** The metadata of the result. */
    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>(Map.of("summary_by", by));
        if (fallback != null) {
            facts.put("summary_fallback", fallback);
        }
        return facts;
    }
}
