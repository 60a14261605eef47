package dev.toolgate.core.artifact;

import dev.toolgate.core.call.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Stores the bytes of artifacts. Every write gets a new place that is never reused, so deleting a place cannot remove
 * bytes stored later.
 */
public interface Blobs {

    /**
     * Stored bytes.
     *
     * @param place identifies them within the tenant's part of the store
     * @param sha256 in lower-case hexadecimal digits
     */
    record Blob(String place, String sha256, long size) {}

    /** Stores bytes durably, all or nothing. */
    Blob write(TenantId tenant, InputStream bytes) throws IOException;

    /** Stores a file and removes it from its original path. */
    default Blob take(TenantId tenant, Path file) throws IOException {
        Blob blob;
        try (InputStream bytes = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            blob = write(tenant, bytes);
        }
        Files.delete(file);
        return blob;
    }

    /**
     * Opens a range of the bytes at a place of this tenant.
     *
     * @throws java.nio.file.NoSuchFileException if there are none
     */
    InputStream open(TenantId tenant, String place, ByteRange range) throws IOException;

    /** Deletes a place of this tenant, if it exists. */
    void delete(TenantId tenant, String place) throws IOException;

    /** Deletes a place reported by {@link #forEachStoredBefore}. */
    void delete(String place) throws IOException;

    /** Reports every place stored before this time, in batches. */
    void forEachStoredBefore(Instant time, PlaceVisitor visitor) throws IOException;

    /** Deletes unfinished writes started before this time. */
    void removeUnfinished(Instant before) throws IOException;

    /** Receives batches of places. */
    @FunctionalInterface
    interface PlaceVisitor {
        void visit(List<String> places) throws IOException;
    }
}
