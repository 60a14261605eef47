package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How often checkpoints of the audit log are signed, and where outside the database they are kept. */
public record CheckpointSettings(
        @Setting(
                value = "Whether checkpoints of the record are signed and kept outside the database.",
                initial = "true")
        boolean enabled,

        @Setting(value = "How often, where there are new records.", initial = "10s", least = "1s", most = "1h")
        Duration every,

        @Setting(
                value = "The name of the signing key, without spaces and plus signs; checkpoints begin with it.",
                initial = "toolgate",
                shortest = 1)
        String name,

        @Setting("The folder they are kept in; checkpoints in the data folder if not set.") @Nullable
        Path folder,

        @Setting("A server that each of them is sent to with a POST as well.") @Nullable
        URI receiver,

        @Setting(value = "The bearer token for the receiver.", env = "TOOLGATE_CHECKPOINT_RECEIVER_TOKEN", shortest = 1)
        @Nullable
        Secret receiverToken,

        @Setting("A bucket of S3 that each of them is put into as well.")
        S3 s3) {

    /** A bucket, best one with object lock. */
    public record S3(
            @Setting("The bucket; none if not set.") @Nullable
            String bucket,

            @Setting("What the keys of the objects begin with.") @Nullable
            String prefix,

            @Setting(
                    value = "How long nobody can change or delete a checkpoint (object lock in compliance mode); the"
                            + " bucket's own default if not set.",
                    least = "1d",
                    most = "36500d")
            @Nullable
            Duration lock,

            @Setting("The region; as everywhere with AWS if not set.") @Nullable
            String region,

            @Setting("Where something that speaks like S3 is; AWS if not set.") @Nullable
            URI endpoint,

            @Setting(
                    value = "Whether the bucket is named in the path, as most servers other than AWS want it.",
                    initial = "false")
            boolean pathStyle,

            @Setting(
                    value = "The access key; as everywhere with AWS if not set.",
                    env = "TOOLGATE_CHECKPOINT_S3_ACCESS_KEY_ID",
                    shortest = 1)
            @Nullable
            Secret accessKeyId,

            @Setting(
                    value = "The secret of the access key.",
                    env = "TOOLGATE_CHECKPOINT_S3_SECRET_ACCESS_KEY",
                    shortest = 1)
            @Nullable
            Secret secretAccessKey) {
        public S3 {
            if ((accessKeyId == null) != (secretAccessKey == null)) {
                throw new IllegalArgumentException("access_key_id: must be set together with secret_access_key");
            }
        }
    }

    public CheckpointSettings {
        if (!name.matches("[^\\s+/]{1,100}")) {
            throw new IllegalArgumentException("name: must have no spaces, plus signs and slashes");
        }
        if (receiver != null && !("https".equals(receiver.getScheme()) || "http".equals(receiver.getScheme()))) {
            throw new IllegalArgumentException("receiver: must be an http or https URL");
        }
    }
}
