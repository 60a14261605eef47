package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;

/** What traces tell. */
public record TelemetrySettings(
        @Setting(value = "Whether traces carry arguments and results, after removing secrets.", initial = "false")
        boolean captureContent) {}
