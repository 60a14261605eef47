package dev.toolgate.server.config;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How web pages are read. */
public record WebSection(
        @Setting(
                value =
                        "auto: pages that need scripts are rendered by an installed Chromium; off: scripts are not run.",
                initial = "auto")
        Rendering rendering,

        @Setting(
                "Who sums pages up, as provider/model, with the key of the tenant; if not set, sentences of the page are chosen.")
        @Nullable
        String summaryModel) {
    public WebSection {
        if (summaryModel != null) {
            try {
                ModelName.parse(summaryModel);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException("summary_model: " + wrong.getMessage(), wrong);
            }
        }
    }

    /** The model that sums pages up, if any. */
    public Optional<ModelName> summarising() {
        return Optional.ofNullable(summaryModel).map(ModelName::parse);
    }

    /** Whether a browser is used. */
    public enum Rendering {
        OFF,
        AUTO
    }
}
