package dev.toolgate.server.config;

/** How web pages are read. */
public record WebSection(
        @Setting(
                value =
                        "auto: pages that need scripts are rendered by an installed Chromium; off: scripts are not run.",
                initial = "auto")
        Rendering rendering) {

    /** Whether a browser is used. */
    public enum Rendering {
        OFF,
        AUTO
    }
}
