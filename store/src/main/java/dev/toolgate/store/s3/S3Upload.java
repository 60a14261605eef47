package dev.toolgate.store.s3;

import dev.toolgate.core.artifact.LimitedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** Uploads a file to a bucket: small files in one request, large ones in parts, which are aborted if one fails. */
final class S3Upload {
    private static final Logger LOG = LoggerFactory.getLogger(S3Upload.class);
    private static final String TYPE = "application/octet-stream";
    private static final long MAX_SINGLE_PUT = 16L << 20;
    private static final long MIN_PART_SIZE = 16L << 20;
    private static final long MAX_PARTS = 9_000; // S3 takes 10,000

    private final S3Client client;
    private final String bucket;

    S3Upload(S3Client client, String bucket) {
        this.client = client;
        this.bucket = bucket;
    }

    void send(Path file, long size, String key) {
        if (size <= MAX_SINGLE_PUT) {
            client.putObject(request -> request.bucket(bucket).key(key).contentType(TYPE), part(file, 0, size));
            return;
        }
        String upload = client.createMultipartUpload(
                        request -> request.bucket(bucket).key(key).contentType(TYPE))
                .uploadId();
        try {
            List<CompletedPart> parts = sendParts(file, size, key, upload);
            client.completeMultipartUpload(request ->
                    request.bucket(bucket).key(key).uploadId(upload).multipartUpload(all -> all.parts(parts)));
        } catch (RuntimeException failed) {
            abort(key, upload);
            throw failed;
        }
    }

    private List<CompletedPart> sendParts(Path file, long size, String key, String upload) {
        long partSize = Math.max(MIN_PART_SIZE, size / MAX_PARTS + 1);
        List<CompletedPart> parts = new ArrayList<>();
        for (long first = 0; first < size; first += partSize) {
            int number = parts.size() + 1;
            long length = Math.min(partSize, size - first);
            String tag = client.uploadPart(
                            request -> request.bucket(bucket)
                                    .key(key)
                                    .uploadId(upload)
                                    .partNumber(number)
                                    .contentLength(length),
                            part(file, first, length))
                    .eTag();
            parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
        }
        return parts;
    }

    // Opened again for each attempt, so that it can be retried.
    private static RequestBody part(Path file, long first, long length) {
        return RequestBody.fromContentProvider(() -> open(file, first, length), length, TYPE);
    }

    private static InputStream open(Path file, long first, long length) {
        try {
            FileChannel channel = FileChannel.open(file);
            try {
                channel.position(first);
                return new LimitedInputStream(Channels.newInputStream(channel), length);
            } catch (IOException | RuntimeException unreadable) {
                channel.close();
                throw unreadable;
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Aborts an upload; the nightly cleanup removes parts that remain. */
    void abort(String key, String upload) {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(bucket).key(key).uploadId(upload));
        } catch (SdkException unreachable) {
            LOG.warn(
                    "A multipart upload could not be aborted; the nightly cleanup retries: {}",
                    unreachable.getMessage());
        }
    }
}
