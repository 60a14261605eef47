package dev.toolgate.core.artifact;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.digest.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Bytes in memory. */
public final class InMemoryBlobs implements Blobs {
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
    private record Kept(TenantId tenant, byte[] bytes, Instant since) {}

    @Override
    public Blob write(TenantId tenant, InputStream bytes) throws IOException {
        byte[] all = bytes.readAllBytes();
        String place = UUID.randomUUID().toString();
        kept.put(place, new Kept(tenant, all, Instant.now()));
        return new Blob(place, HexFormat.of().formatHex(Sha256.of(all)), all.length);
    }

    @Override
    public InputStream open(TenantId tenant, String place, ByteRange range) throws IOException {
        Kept found = kept.get(place);
        if (found == null || !found.tenant().equals(tenant)) {
            throw new NoSuchFileException(place);
        }
        int first = (int) Math.min(range.first(), found.bytes().length);
        int length = (int) Math.min(range.length(), found.bytes().length - first);
        return new ByteArrayInputStream(found.bytes(), first, length);
    }

    @Override
    public void delete(TenantId tenant, String place) {
        kept.computeIfPresent(place, (_, found) -> found.tenant().equals(tenant) ? null : found);
    }

    @Override
    public void delete(String place) {
        kept.remove(place);
    }

    @Override
    public void forEachStoredBefore(Instant time, PlaceVisitor visitor) throws IOException {
        List<String> old = kept.entrySet().stream()
                .filter(entry -> entry.getValue().since().isBefore(time))
                .map(Map.Entry::getKey)
                .toList();
        visitor.visit(old);
    }

    @Override
    public void removeUnfinished(Instant before) {
        // A write is visible only when complete.
    }
}
