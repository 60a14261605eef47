package dev.toolgate.core.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The models and tokens a session may use; absent values do not restrict. */
public record LlmPolicy(
        @Nullable List<String> allowedModels,
        @Nullable Long maxInputTokens,
        @Nullable Long maxOutputTokens,
        @Nullable Long maxSessionTokens) {
    /** No restrictions. */
    public static final LlmPolicy NONE = new LlmPolicy(null, null, null, null);

    public LlmPolicy {
        allowedModels = allowedModels == null ? null : List.copyOf(allowedModels);
    }
}
