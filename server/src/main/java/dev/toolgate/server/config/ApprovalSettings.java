package dev.toolgate.server.config;

import java.time.Duration;

/** How long calls wait for a person's yes. */
public record ApprovalSettings(
        @Setting(
                value = "How long a caller waits for an approval, and its question with it.",
                initial = "30s",
                least = "1s",
                most = "1h")
        Duration patience,

        @Setting(
                value = "How long a question stays open whose caller comes back for the outcome later.",
                initial = "1h",
                least = "1s",
                most = "30d")
        Duration expireAfter) {}
