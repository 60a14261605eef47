package dev.toolgate.store.s3;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the bucket is and how to get in.
 *
 * @param prefix what the keys of our objects begin with; empty for none
 * @param endpoint where something that speaks like S3 is; AWS if null
 * @param region as AWS finds it everywhere if null
 * @param key as AWS finds it everywhere if null
 * @param spool a private folder in which bytes wait on their way to the bucket
 */
public record S3Settings(
        String bucket,
        String prefix,
        @Nullable URI endpoint,
        @Nullable String region,
        Addressing addressing,
        @Nullable Key key,
        Path spool) {

    /** Where the name of the bucket is. */
    public enum Addressing {
        IN_HOST,
        IN_PATH
    }

    /** Who we are to the bucket. */
    public record Key(String id, String secret) {
        @Override
        public String toString() {
            return "Key[" + id + "]";
        }
    }
}
