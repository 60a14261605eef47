package dev.toolgate.core.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which models a session may use and how many tokens; whatever is absent does not restrict. */
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
