package dev.toolgate.core.artifact;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The artifact store, made of blobs and an index. Bytes are written before the index refers to them and deleted after
 * it no longer does, so an interruption leaves at worst orphaned bytes.
 */
public class IndexedArtifacts implements ArtifactStore {
    private static final Logger LOG = LoggerFactory.getLogger(IndexedArtifacts.class);

    private final Blobs blobs;
    private final ArtifactIndex index;
    private final ArtifactLimits limits;
    private final Clock clock;
    private final QuotaReservations reservations;

    public IndexedArtifacts(Blobs blobs, ArtifactIndex index, ArtifactLimits limits, Clock clock) {
        this.blobs = blobs;
        this.index = index;
        this.limits = limits;
        this.clock = clock;
        this.reservations = new QuotaReservations(index, limits);
    }

    private interface Writing {
        Blobs.Blob into(QuotaReservations.Reservation reservation) throws IOException;
    }

    @Override
    public Artifact store(Caller owner, @Nullable RequestId request, Artifact artifact) throws IOException {
        NewArtifact facts = NewArtifact.of(owner, request, artifact);
        StoredArtifact stored =
                switch (artifact.content()) {
                    case Content.InFile given -> take(facts, given.file());
                    case Content.InMemory given -> write(facts, given);
                    case Content.Supplied given -> write(facts, given);
                    case Content.InStore given ->
                        throw new IOException("The artifact is already stored; open it by its URI to store a copy.");
                };
        return artifact.storedAt(stored.uri().toString(), content(owner.tenant(), stored));
    }

    private StoredArtifact take(NewArtifact facts, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("An artifact's content must be a regular file.");
        }
        return keep(facts, Files.size(file), _ -> blobs.take(facts.tenant(), file));
    }

    private StoredArtifact write(NewArtifact facts, Content content) throws IOException {
        try (InputStream bytes = content.open()) {
            return write(facts, content.size(), bytes);
        }
    }

    @Override
    public StoredArtifact write(NewArtifact facts, long expected, InputStream bytes) throws IOException {
        return keep(
                facts,
                Math.max(0, expected),
                reservation -> blobs.write(facts.tenant(), new MeteredStream(bytes, reservation)));
    }

    private StoredArtifact keep(NewArtifact facts, long expected, Writing writing) throws IOException {
        try (QuotaReservations.Reservation reservation = reservations.reserve(facts.tenant(), expected)) {
            Blobs.Blob blob = writing.into(reservation);
            StoredArtifact stored = new StoredArtifact(
                    ArtifactUri.random(facts.workspace()),
                    facts.agent(),
                    facts.session(),
                    facts.principal(),
                    facts.request(),
                    facts.kind(),
                    facts.mediaType(),
                    facts.name(),
                    blob.size(),
                    blob.sha256(),
                    clock.instant().truncatedTo(ChronoUnit.MICROS));
            addToIndex(facts.tenant(), stored, blob);
            return stored;
        }
    }

    // The blob stays if adding it fails in an unknown state: the index may refer to it.
    private void addToIndex(TenantId tenant, StoredArtifact stored, Blobs.Blob blob) throws IOException {
        String place;
        try {
            place = index.add(tenant, stored, blob.place(), limits.quota());
        } catch (ArtifactRefused full) {
            removeQuietly(tenant, blob.place());
            throw full;
        }
        if (!place.equals(blob.place())) {
            removeQuietly(tenant, blob.place()); // the tenant already has equal bytes
        }
    }

    private void removeQuietly(TenantId tenant, String place) {
        try {
            blobs.delete(tenant, place);
        } catch (IOException | RuntimeException busy) {
            LOG.warn("Blob {} could not be deleted; the orphan cleanup will remove it", place, busy);
        }
    }

    private Content content(TenantId tenant, StoredArtifact stored) {
        return Content.from(stored.size(), () -> find(tenant, stored.uri())
                .orElseThrow(() -> new IOException("The artifact has been deleted."))
                .open());
    }

    @Override
    public Optional<Content> find(TenantId tenant, String uri) throws IOException {
        return ArtifactUri.parse(uri).isEmpty()
                ? Optional.empty()
                : find(tenant, ArtifactUri.parse(uri).get())
                        .map(found -> Content.from(found.facts().size(), found::open));
    }

    @Override
    public Optional<FoundArtifact> find(TenantId tenant, ArtifactUri uri) throws IOException {
        return index.find(tenant, uri)
                .map(row -> new FoundArtifact(row.artifact(), range -> blobs.open(tenant, row.place(), range)));
    }

    @Override
    public Lookup find(TenantId tenant, ArtifactVisibility visibility, ArtifactUri uri) throws IOException {
        Optional<FoundArtifact> found = find(tenant, uri);
        if (found.isEmpty()) {
            return new Lookup.Absent();
        }
        return visibility.includes(found.get().facts())
                ? new Lookup.Found(found.get())
                : new Lookup.Hidden(found.get().facts());
    }

    @Override
    public List<StoredArtifact> list(
            TenantId tenant,
            ArtifactVisibility visibility,
            WorkspaceId workspace,
            @Nullable RequestId request,
            @Nullable ArtifactPosition after,
            int limit)
            throws IOException {
        return index.list(tenant, visibility, workspace, request, after, limit);
    }

    @Override
    public boolean delete(TenantId tenant, ArtifactUri uri) throws IOException {
        Optional<ArtifactIndex.Removal> removal = index.remove(tenant, uri);
        removal.flatMap(ArtifactIndex.Removal::freed).ifPresent(place -> removeQuietly(tenant, place));
        return removal.isPresent();
    }
}
