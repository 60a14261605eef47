package dev.toolgate.server.config;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of artifacts: storage and limits. */
public record ArtifactSettings(
        @Setting(
                value = "Where artifacts are stored: on disk, or in a bucket of S3 or an S3-compatible service.",
                defaultValue = "disk")
        Store store,

        @Setting(
                value = "The folder of artifacts, or with S3 of upload buffers; artifacts/ in the data folder if not"
                        + " set.",
                env = "TOOLGATE_ARTIFACTS")
        @Nullable
        Path folder,

        @Setting(
                value = "The maximum size of one artifact.",
                defaultValue = "5GB",
                min = "1KB",
                max = "100GB",
                formerly = "largest")
        ByteSize maxSize,

        @Setting(value = "The maximum size of all artifacts of a tenant together.", defaultValue = "10GB", min = "1KB")
        ByteSize quotaPerTenant,

        @Setting(value = "How long artifacts are kept; until they are deleted if not set.", min = "1h", max = "36500d")
        @Nullable
        Duration retention,

        @Setting(
                value = "How long the state before and after a change is kept, to undo it; nothing is kept if 0s.",
                defaultValue = "30d",
                min = "0s",
                max = "36500d")
        Duration undoRetention,

        @Setting(value = "The S3 bucket.", env = "TOOLGATE_S3_BUCKET") @Nullable
        String bucket,

        @Setting("The prefix of object keys, for a shared bucket; for example toolgate/.") @Nullable
        String prefix,

        @Setting(value = "The S3 region; from the AWS default provider chain if not set.", env = "TOOLGATE_S3_REGION")
        @Nullable
        String region,

        @Setting(value = "The endpoint of an S3-compatible service; AWS if not set.", env = "TOOLGATE_S3_ENDPOINT")
        @Nullable
        URI endpoint,

        @Setting(
                value = "Whether the bucket is in the URL path, which most services other than AWS need.",
                defaultValue = "false")
        boolean pathStyle,

        @Setting(
                value = "The S3 access key; from the AWS default provider chain if not set.",
                env = "TOOLGATE_S3_ACCESS_KEY_ID",
                minLength = 1)
        @Nullable
        Secret accessKeyId,

        @Setting(value = "The S3 secret access key.", env = "TOOLGATE_S3_SECRET_ACCESS_KEY", minLength = 1) @Nullable
        Secret secretAccessKey) {

    /** Where artifacts are stored. */
    public enum Store {
        DISK,
        S3
    }

    public ArtifactSettings {
        if (store == Store.S3 && bucket == null) {
            throw new IllegalArgumentException("bucket: must be set to store artifacts in S3");
        }
        if ((accessKeyId == null) != (secretAccessKey == null)) {
            throw new IllegalArgumentException("access_key_id: must be set together with secret_access_key");
        }
    }
}
