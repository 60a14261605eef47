package dev.toolgate.tools.web;

import dev.toolgate.core.setting.Setting;
import org.jspecify.annotations.Nullable;

/** How web pages are read. */
public record WebSettings(
        @Setting(
                value =
                        "auto: pages that need scripts are rendered by an installed Chromium; off: scripts are not run.",
                initial = "auto")
        RenderingMode rendering,

        @Setting(
                "Who sums pages up, as provider/model, with the key of the tenant; if not set, sentences of the page are chosen.")
        @Nullable
        String summaryModel) {

    /** Whether a browser is used. */
    public enum RenderingMode {
        OFF,
        AUTO
    }
}
