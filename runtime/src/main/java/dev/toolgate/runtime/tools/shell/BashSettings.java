package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.setting.Setting;
import java.time.Duration;

/** Commands in a shell. */
public record BashSettings(
        @Setting(
                value = "The longest time-out that a caller may ask for.",
                initial = "600s",
                least = "1s",
                most = "600s")
        Duration maxTimeout) {}
