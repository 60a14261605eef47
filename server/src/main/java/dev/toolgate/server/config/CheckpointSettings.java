package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of signed checkpoints: how often they are made, and where outside the database they are stored. */
public record CheckpointSettings(
        @Setting(
                value = "Whether checkpoints of the audit log are signed and stored outside the database.",
                defaultValue = "true")
        boolean enabled,

        @Setting(
                value = "How often a checkpoint is made if there are new records.",
                defaultValue = "10s",
                min = "1s",
                max = "1h")
        Duration every,

        @Setting(
                value = "The name of the signing key, without spaces, plus signs and slashes; checkpoints begin with"
                        + " it.",
                defaultValue = "toolgate",
                minLength = 1)
        String name,

        @Setting("The folder for checkpoints; checkpoints/ in the data folder if not set.") @Nullable
        Path folder,

        @Setting("A URL that every checkpoint is also sent to with POST.") @Nullable
        URI receiver,

        @Setting(
                value = "The bearer token for the receiver.",
                env = "TOOLGATE_CHECKPOINT_RECEIVER_TOKEN",
                minLength = 1)
        @Nullable
        Secret receiverToken,

        @Setting("An S3 bucket that every checkpoint is also written to.")
        S3 s3) {

    /** An S3 bucket, preferably with object lock. */
    public record S3(
            @Setting("The bucket; none if not set.") @Nullable
            String bucket,

            @Setting("The prefix of object keys.") @Nullable String prefix,

            @Setting(
                    value = "How long a checkpoint is locked against changes (object lock in compliance mode); the"
                            + " bucket's default if not set.",
                    min = "1d",
                    max = "36500d")
            @Nullable
            Duration lock,

            @Setting("The S3 region; from the AWS default provider chain if not set.") @Nullable
            String region,

            @Setting("The endpoint of an S3-compatible service; AWS if not set.") @Nullable
            URI endpoint,

            @Setting(
                    value = "Whether the bucket is in the URL path, which most services other than AWS need.",
                    defaultValue = "false")
            boolean pathStyle,

            @Setting(
                    value = "The S3 access key; from the AWS default provider chain if not set.",
                    env = "TOOLGATE_CHECKPOINT_S3_ACCESS_KEY_ID",
                    minLength = 1)
            @Nullable
            Secret accessKeyId,

            @Setting(
                    value = "The S3 secret access key.",
                    env = "TOOLGATE_CHECKPOINT_S3_SECRET_ACCESS_KEY",
                    minLength = 1)
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
