package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of the audit log. */
public record AuditSettings(
        @Setting(value = "How long records are kept.", defaultValue = "365d", min = "1d", max = "36500d")
        Duration retention,

        @Setting(
                value = "How long records of refused calls are kept.",
                defaultValue = "1095d",
                min = "1d",
                max = "36500d")
        Duration violationsRetention,

        @Setting("Where records are archived, compressed, before they are deleted; they are not archived if not set.")
        @Nullable
        Path archiveFolder,

        @Setting("A file that every record is appended to, for a log collector to tail.") @Nullable
        Path followFile,

        @Setting(
                value = "How long the outcome of a call is kept for repeated requests with the same request id.",
                defaultValue = "24h",
                min = "1m",
                max = "365d")
        Duration keepAnswers,

        @Setting(
                value = "How long a call waits for its request id to be looked up, and for its record to be durable.",
                defaultValue = "1500ms",
                min = "100ms",
                max = "60s",
                formerly = "patience")
        Duration timeout,

        @Setting(
                value = "The key of the argument digests; generated in the data folder if not set. Servers on one"
                        + " database need the same key.",
                env = "TOOLGATE_DIGEST_KEY",
                minLength = 32)
        @Nullable
        Secret digestKey,

        @Setting("Signed checkpoints, which reveal a log that was truncated or rewritten in the database.")
        CheckpointSettings checkpoints) {

    public AuditSettings {
        if (violationsRetention.compareTo(retention) < 0) {
            throw new IllegalArgumentException("violations_retention: must not be shorter than retention");
        }
    }
}
