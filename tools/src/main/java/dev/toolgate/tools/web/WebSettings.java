package dev.toolgate.tools.web;

import dev.toolgate.core.setting.Setting;
import org.jspecify.annotations.Nullable;

/** Settings of reading web pages. */
public record WebSettings(
        @Setting(
                value =
                        "auto: pages that need scripts are rendered by an installed Chromium; off: scripts are not run.",
                defaultValue = "auto")
        RenderingMode rendering,

        @Setting("The model that summarises pages, as provider/model, used with the tenant's key; if not set,"
                + " sentences of the page are selected.")
        @Nullable
        String summaryModel) {

    /** Whether a browser is used. */
    public enum RenderingMode {
        OFF,
        AUTO
    }
}
