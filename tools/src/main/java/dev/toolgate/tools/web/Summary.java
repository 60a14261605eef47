package dev.toolgate.tools.web;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What of a page matters, and who said so.
 *
 * @param by {@link #EXTRACT}, or the model that was asked
 * @param fallback why the model that should have been asked did not say it; {@code null} if all went as configured
 */
public record Summary(String text, String by, @Nullable String fallback) {
    /** The page's own sentences, chosen without a model. */
    public static final String EXTRACT = "extract";

    /** Sentences of the page itself. */
    public static Summary extracted(String text) {
        return new Summary(text, EXTRACT, null);
    }

    /** The same, given in the place of another for this reason. */
    public Summary because(String reason) {
        return new Summary(text, by, reason);
    }

    /** For the metadata of a result. */
    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>(Map.of("summary_by", by));
        if (fallback != null) {
            facts.put("summary_fallback", fallback);
        }
        return facts;
    }
}
