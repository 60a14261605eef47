package dev.toolgate.store.s3;

import dev.toolgate.core.artifact.Blobs;
import dev.toolgate.core.artifact.ByteRange;
import dev.toolgate.core.artifact.HashedFile;
import dev.toolgate.core.artifact.NameHash;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Blobs in an S3 bucket, with a key prefix per tenant. Uploads are first written to a local file: then their
 * hash is known, and a slow sender occupies neither memory nor an S3 upload.
 */
public final class S3Blobs implements Blobs, AutoCloseable {
    private static final Pattern PLACE =
            Pattern.compile("[0-9a-f]{64}/[0-9a-f]{64}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int NOT_FOUND = 404;

    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final S3Upload uploads;
    private final UploadSpool spool;

    private S3Blobs(S3Client client, S3Settings settings) throws IOException {
        this.client = client;
        this.bucket = settings.bucket();
        this.prefix = settings.prefix();
        this.uploads = new S3Upload(client, bucket);
        this.spool = UploadSpool.in(settings.spool());
    }

    /**
     * Connects to the bucket.
     *
     * @throws IOException if the bucket does not exist or access is denied; its message is one sentence for the user
     */
    public static S3Blobs open(S3Settings settings) throws IOException {
        return new S3Blobs(S3Connection.open(settings), settings);
    }

    @Override
    public Blob write(TenantId tenant, InputStream bytes) throws IOException {
        Path part = spool.newFile();
        try {
            return upload(tenant, part, HashedFile.write(bytes, part));
        } finally {
            Files.deleteIfExists(part);
        }
    }

    @Override
    public Blob take(TenantId tenant, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("An artifact's content must be a regular file.");
        }
        Blob blob = upload(tenant, file, HashedFile.read(file));
        Files.delete(file);
        return blob;
    }

    private Blob upload(TenantId tenant, Path file, HashedFile hashed) throws IOException {
        String place = part(tenant) + hashed.sha256() + "-" + UUID.randomUUID();
        try {
            uploads.send(file, hashed.size(), prefix + place);
        } catch (SdkException failed) {
            throw new IOException("The artifact could not be stored in the bucket: " + failed.getMessage(), failed);
        }
        return new Blob(place, hashed.sha256(), hashed.size());
    }

    @Override
    public InputStream open(TenantId tenant, String place, ByteRange range) throws IOException {
        String key = key(tenant, place);
        if (range.length() == 0) {
            return InputStream.nullInputStream();
        }
        try {
            return new ObjectStream(
                    client.getObject(request ->
                            request.bucket(bucket).key(key).range("bytes=" + range.first() + "-" + range.last())),
                    range.length());
        } catch (S3Exception refused) {
            if (refused.statusCode() == NOT_FOUND) {
                throw new NoSuchFileException(place);
            }
            throw unavailable(refused);
        } catch (SdkException unreachable) {
            throw unavailable(unreachable);
        }
    }

    @Override
    public void delete(TenantId tenant, String place) throws IOException {
        String key = key(tenant, place);
        var _ = answered(
                () -> client.deleteObject(request -> request.bucket(bucket).key(key)));
    }

    @Override
    public void delete(String place) throws IOException {
        String key = prefix + checked(place);
        var _ = answered(
                () -> client.deleteObject(request -> request.bucket(bucket).key(key)));
    }

    @Override
    public void forEachStoredBefore(Instant time, PlaceVisitor visitor) throws IOException {
        String token = null;
        do {
            String next = token;
            ListObjectsV2Response page = answered(() -> client.listObjectsV2(
                    request -> request.bucket(bucket).prefix(prefix).continuationToken(next)));
            List<String> places = new ArrayList<>();
            for (S3Object object : page.contents()) {
                String place = object.key().substring(prefix.length());
                if (object.lastModified().isBefore(time) && PLACE.matcher(place).matches()) {
                    places.add(place);
                }
            }
            if (!places.isEmpty()) {
                visitor.visit(places);
            }
            token = page.nextContinuationToken();
        } while (token != null);
    }

    @Override
    public void removeUnfinished(Instant before) throws IOException {
        spool.removeBefore(before);
        List<MultipartUpload> unfinished = answered(
                () -> client.listMultipartUploadsPaginator(request -> request.bucket(bucket)).uploads().stream()
                        .filter(upload -> upload.initiated().isBefore(before))
                        .filter(upload -> upload.key().startsWith(prefix))
                        .toList());
        for (MultipartUpload upload : unfinished) {
            uploads.abort(upload.key(), upload.uploadId());
        }
    }

    private String key(TenantId tenant, String place) throws NoSuchFileException {
        if (!place.startsWith(part(tenant))) {
            throw new NoSuchFileException(place);
        }
        return prefix + checked(place);
    }

    private static String checked(String place) throws NoSuchFileException {
        if (!PLACE.matcher(place).matches()) {
            throw new NoSuchFileException("not a place");
        }
        return place;
    }

    private static String part(TenantId tenant) {
        return NameHash.of(tenant.value()) + "/";
    }

    private static <T> T answered(Supplier<T> question) {
        try {
            return question.get();
        } catch (SdkException failed) {
            throw unavailable(failed);
        }
    }

    private static Unavailable unavailable(SdkException cause) {
        return new Unavailable("The artifact bucket is unavailable; try again shortly.", cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
