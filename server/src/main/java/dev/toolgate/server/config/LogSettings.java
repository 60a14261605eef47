package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;

/** What is logged, and how it looks. */
public record LogSettings(
        @Setting(value = "The least important messages to log.", initial = "info", env = "LOG_LEVEL")
        Level level,

        @Setting(value = "text for people, json for programs.", initial = "text", env = "LOG_FORMAT")
        Format format) {

    /** How important a message is. */
    public enum Level {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR,
        OFF
    }

    /** How a message is written. */
    public enum Format {
        TEXT,
        JSON
    }
}
