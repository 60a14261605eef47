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
 * Where the bytes of artifacts are. Each time bytes are stored they get a place of their own, which is never used
 * again, so removing a place cannot take what somebody has stored since.
 */
public interface Blobs {

    /**
     * Bytes that are stored.
     *
     * @param place where; within the tenant's own part of the store
     * @param sha256 in lower-case hexadecimal digits
     */
    record Blob(String place, String sha256, long size) {}

    /** Stores bytes durably, all or nothing. */
    Blob write(TenantId tenant, InputStream bytes) throws IOException;

    /** Stores a file that is handed over, which then is no longer where it was. */
    default Blob take(TenantId tenant, Path file) throws IOException {
        Blob blob;
        try (InputStream bytes = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            blob = write(tenant, bytes);
        }
        Files.delete(file);
        return blob;
    }

    /**
     * Opens some of the bytes at a place of this tenant.
     *
     * @throws java.nio.file.NoSuchFileException if there are none
     */
    InputStream open(TenantId tenant, String place, ByteRange range) throws IOException;

    /** Removes what is at a place of this tenant, if anything is. */
    void delete(TenantId tenant, String place) throws IOException;

    /** Removes what is at a place that {@link #eachBefore} gave out. */
    void delete(String place) throws IOException;

    /** Gives out every place that was stored before this time, some at a time. */
    void eachBefore(Instant time, Places visitor) throws IOException;

    /** Removes what was begun and left before this time. */
    void removeUnfinished(Instant before) throws IOException;

    /** Is given places. */
    @FunctionalInterface
    interface Places {
        void visit(List<String> places) throws IOException;
    }
}
