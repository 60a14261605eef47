package dev.toolgate.runtime.output;

import dev.toolgate.core.artifact.Blobs;
import dev.toolgate.core.artifact.ByteRange;
import dev.toolgate.core.artifact.HashedFile;
import dev.toolgate.core.artifact.LimitedInputStream;
import dev.toolgate.core.artifact.NameHash;
import dev.toolgate.core.call.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Stores blobs in a folder per tenant, in files named after their hash. Paths never contain anything a caller chooses,
 * and a file gets its final name only when its content is on disk.
 */
public final class DiskBlobs implements Blobs {
    private static final Pattern PLACE =
            Pattern.compile("[0-9a-f]{64}/[0-9a-f]{2}/[0-9a-f]{64}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Path folder;
    private final SpoolFolder incoming;

    private DiskBlobs(Path folder, SpoolFolder incoming) {
        this.folder = folder;
        this.incoming = incoming;
    }

    /** Opens the store in this folder, creating it if necessary. */
    public static DiskBlobs in(Path folder) throws IOException {
        PrivateFolder.create(folder);
        Path content = folder.toRealPath().resolve("content");
        PrivateFolder.create(content);
        return new DiskBlobs(content, SpoolFolder.open(folder.toRealPath().resolve("incoming")));
    }

    @Override
    public Blob write(TenantId tenant, InputStream bytes) throws IOException {
        Path part = incoming.newFile();
        try {
            HashedFile written = HashedFile.write(bytes, part);
            return moveIntoPlace(tenant, part, written);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    @Override
    public Blob take(TenantId tenant, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("An artifact's content must be a regular file.");
        }
        try {
            return moveIntoPlace(tenant, file, HashedFile.read(file));
        } catch (AtomicMoveNotSupportedException otherDisk) {
            return Blobs.super.take(tenant, file);
        }
    }

    private Blob moveIntoPlace(TenantId tenant, Path file, HashedFile hashed) throws IOException {
        String sha256 = hashed.sha256();
        String place = part(tenant) + sha256.substring(0, 2) + "/" + sha256 + "-" + UUID.randomUUID();
        Path target = folder.resolve(place);
        Path parentFolder = parentFolder(target);
        Durable.syncFile(file);
        Files.setLastModifiedTime(
                file, FileTime.from(Instant.now())); // clean-up uses the time of storing, not the age of the content
        Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
        Durable.syncFolder(parentFolder);
        return new Blob(place, sha256, hashed.size());
    }

    private Path parentFolder(Path target) throws IOException {
        Path parentFolder = target.resolveSibling("");
        if (!Files.isDirectory(parentFolder, LinkOption.NOFOLLOW_LINKS)) {
            PrivateFolder.create(parentFolder);
            Durable.syncFolder(parentFolder.resolveSibling(""));
            Durable.syncFolder(folder);
        }
        return parentFolder;
    }

    @Override
    public InputStream open(TenantId tenant, String place, ByteRange range) throws IOException {
        Path file = of(tenant, place);
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException absent) {
            throw new NoSuchFileException(place);
        }
        try {
            channel.position(range.first());
            return new LimitedInputStream(Channels.newInputStream(channel), range.length());
        } catch (IOException | RuntimeException unreadable) {
            channel.close();
            throw unreadable;
        }
    }

    @Override
    public void delete(TenantId tenant, String place) throws IOException {
        Files.deleteIfExists(of(tenant, place));
    }

    @Override
    public void delete(String place) throws IOException {
        Files.deleteIfExists(folder.resolve(checked(place)));
    }

    @Override
    public void forEachStoredBefore(Instant time, PlaceVisitor visitor) throws IOException {
        PlaceWalk walk = new PlaceWalk(folder, PLACE, time, visitor);
        Files.walkFileTree(folder, walk);
        walk.end();
    }

    @Override
    public void removeUnfinished(Instant before) throws IOException {
        incoming.removeAbandoned();
    }

    private Path of(TenantId tenant, String place) throws NoSuchFileException {
        if (!place.startsWith(part(tenant))) {
            throw new NoSuchFileException(place);
        }
        return folder.resolve(checked(place));
    }

    private static String checked(String place) throws NoSuchFileException {
        if (!PLACE.matcher(place).matches()) {
            throw new NoSuchFileException("not a storage key");
        }
        return place;
    }

    private static String part(TenantId tenant) {
        return NameHash.of(tenant.value()) + "/";
    }
}
