package dev.toolgate.server.config;

import java.time.Duration;

/** Commands in a shell. */
public record BashSection(
        @Setting(
                value = "The longest time-out that a caller may ask for.",
                initial = "600s",
                least = "1s",
                most = "600s")
        Duration maxTimeout) {}
