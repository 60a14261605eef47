package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the record of calls is kept. */
public record AuditSettings(
        @Setting(value = "How long records are kept.", initial = "365d", least = "1d", most = "36500d")
        Duration retention,

        @Setting(
                value = "How long records of refused calls are kept.",
                initial = "1095d",
                least = "1d",
                most = "36500d")
        Duration violationsRetention,

        @Setting("Where records are written, compressed, before they are deleted; not at all if not set.") @Nullable
        Path archiveFolder,

        @Setting("A file that every record is added to, for a log collector to follow.") @Nullable
        Path followFile,

        @Setting(
                value = "How long the answer of a call is kept for a repeated request id.",
                initial = "24h",
                least = "1m",
                most = "365d")
        Duration keepAnswers,

        @Setting(
                value = "How long a call waits to be looked up, and then for its record to be durable.",
                initial = "1500ms",
                least = "100ms",
                most = "60s",
                formerly = "patience")
        Duration timeout,

        @Setting(
                value =
                        "The key of the digests of arguments; made and saved in the data folder if not set. Servers with"
                                + " one database need the same.",
                env = "TOOLGATE_DIGEST_KEY",
                shortest = 32)
        @Nullable
        Secret digestKey,

        @Setting("Signed checkpoints, with which a log that was cut or rewritten in the database is told.")
        CheckpointSettings checkpoints) {

    public AuditSettings {
        if (violationsRetention.compareTo(retention) < 0) {
            throw new IllegalArgumentException("violations_retention: must not be shorter than retention");
        }
    }
}
