package dev.toolgate.store.s3;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The address and credentials of a bucket.
 *
 * @param prefix the prefix of all object keys; may be empty
 * @param endpoint of an S3-compatible server; null for AWS
 * @param region null for the AWS default region chain
 * @param key null for the AWS default credential chain
 * @param spool a private folder that buffers uploads
 */
public record S3Settings(
        String bucket,
        String prefix,
        @Nullable URI endpoint,
        @Nullable String region,
        Addressing addressing,
        @Nullable Key key,
        Path spool) {

    /** Whether the bucket name is in the host or in the path. */
    public enum Addressing {
        IN_HOST,
        IN_PATH
    }

    /** An access key. */
    public record Key(String id, String secret) {
        @Override
        public String toString() {
            return "Key[" + id + "]";
        }
    }
}
