package dev.toolgate.server.config;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where the bytes of artifacts are kept, and how many of them. */
public record ArtifactSettings(
        @Setting(
                value = "Where the bytes are: in a folder, or in a bucket of S3 or something that speaks like it.",
                initial = "disk")
        Store store,

        @Setting(
                value =
                        "The folder, or with S3 where bytes wait on their way; artifacts in the data folder if not set.",
                env = "TOOLGATE_ARTIFACTS")
        @Nullable
        Path folder,

        @Setting(value = "The most bytes of one artifact.", initial = "5GB", least = "1KB", most = "100GB")
        ByteSize largest,

        @Setting(value = "The most bytes of all artifacts of a tenant.", initial = "10GB", least = "1KB")
        ByteSize quotaPerTenant,

        @Setting(
                value = "How long artifacts are kept; until somebody deletes them if not set.",
                least = "1h",
                most = "36500d")
        @Nullable
        Duration retention,

        @Setting(value = "The bucket of S3.", env = "TOOLGATE_S3_BUCKET") @Nullable
        String bucket,

        @Setting("What the keys of our objects begin with, for a bucket that has others too; for example toolgate/.")
        @Nullable
        String prefix,

        @Setting(value = "The region of S3; as everywhere with AWS if not set.", env = "TOOLGATE_S3_REGION") @Nullable
        String region,

        @Setting(value = "Where something that speaks like S3 is; AWS if not set.", env = "TOOLGATE_S3_ENDPOINT")
        @Nullable
        URI endpoint,

        @Setting(
                value = "Whether the bucket is named in the path, as most servers other than AWS want it.",
                initial = "false")
        boolean pathStyle,

        @Setting(
                value = "The access key of S3; as everywhere with AWS if not set.",
                env = "TOOLGATE_S3_ACCESS_KEY_ID",
                shortest = 1)
        @Nullable
        Secret accessKeyId,

        @Setting(value = "The secret of the access key.", env = "TOOLGATE_S3_SECRET_ACCESS_KEY", shortest = 1) @Nullable
        Secret secretAccessKey) {

    /** Where bytes can be. */
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
