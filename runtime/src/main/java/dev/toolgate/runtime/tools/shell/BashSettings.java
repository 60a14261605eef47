package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.setting.Setting;
import java.time.Duration;

/** Settings of {@code bash}. */
public record BashSettings(
        @Setting(value = "The maximum time-out a caller may request.", defaultValue = "600s", min = "1s", max = "600s")
        Duration maxTimeout) {}
