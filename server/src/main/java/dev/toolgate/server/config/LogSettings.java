package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;

/** Settings of logging. */
public record LogSettings(
        @Setting(value = "The minimum level of messages to log.", defaultValue = "info", env = "LOG_LEVEL")
        Level level,

        @Setting(value = "text for people, json for programs.", defaultValue = "text", env = "LOG_FORMAT")
        Format format) {

    /** The level of a message. */
    public enum Level {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR,
        OFF
    }

    /** The format of log lines. */
    public enum Format {
        TEXT,
        JSON
    }
}
