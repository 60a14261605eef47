package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;

/** Settings of telemetry. */
public record TelemetrySettings(
        @Setting(value = "Whether traces contain arguments and results, with secrets masked.", defaultValue = "false")
        boolean captureContent) {}
