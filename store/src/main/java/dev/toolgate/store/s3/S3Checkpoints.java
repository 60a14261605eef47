package dev.toolgate.store.s3;

import dev.toolgate.store.checkpoint.Checkpoint;
import dev.toolgate.store.checkpoint.CheckpointStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectLockMode;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A bucket with one object per checkpoint, optionally locked against changes and deletion. */
public final class S3Checkpoints implements CheckpointStore {
    private static final String TYPE = "text/plain; charset=utf-8";

    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final @Nullable Duration lockedFor;
    private final Clock clock;

    /**
     * Sends nothing yet; an unusable bucket is detected with the first checkpoint.
     *
     * @param lockedFor how long checkpoints are locked, which requires a bucket with object lock; {@code null} for the
     *     default of the bucket
     */
    public S3Checkpoints(S3Settings settings, @Nullable Duration lockedFor, Clock clock) throws IOException {
        this.client = S3Connection.unchecked(settings);
        this.bucket = settings.bucket();
        this.prefix = settings.prefix();
        this.lockedFor = lockedFor;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "bucket " + bucket;
    }

    @Override
    public void save(Checkpoint checkpoint) throws IOException {
        byte[] note = checkpoint.note().getBytes(StandardCharsets.UTF_8);
        PutObjectRequest.Builder request = PutObjectRequest.builder()
                .bucket(bucket)
                .key(key(checkpoint))
                .contentType(TYPE)
                .contentMD5(md5(note)); // required with object lock
        if (lockedFor != null) {
            request.objectLockMode(ObjectLockMode.COMPLIANCE)
                    .objectLockRetainUntilDate(clock.instant().plus(lockedFor));
        }
        try {
            client.putObject(request.build(), RequestBody.fromBytes(note));
        } catch (SdkException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }

    // The size is padded, so that a listing is sorted.
    private String key(Checkpoint checkpoint) {
        String kind =
                switch (checkpoint.kind()) {
                    case HEAD -> "";
                    case PRUNED -> "-pruned";
                };
        return prefix + checkpoint.head().chain() + "/"
                + String.format(Locale.ROOT, "%019d", checkpoint.head().size()) + kind;
    }

    /** Every checkpoint of the bucket. */
    public void read(Consumer<Checkpoint> reader) throws IOException {
        try {
            String token = null;
            do {
                String next = token;
                ListObjectsV2Response page = client.listObjectsV2(
                        request -> request.bucket(bucket).prefix(prefix).continuationToken(next));
                for (S3Object object : page.contents()) {
                    String note = client.getObjectAsBytes(
                                    request -> request.bucket(bucket).key(object.key()))
                            .asUtf8String();
                    Checkpoint.read(note).ifPresent(reader);
                }
                token = page.nextContinuationToken();
            } while (token != null);
        } catch (SdkException refused) {
            throw new IOException(
                    "The checkpoints of the bucket '" + bucket + "' cannot be read: " + refused.getMessage(), refused);
        }
    }

    private static String md5(byte[] bytes) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("MD5 is required in every Java runtime.", impossible);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
