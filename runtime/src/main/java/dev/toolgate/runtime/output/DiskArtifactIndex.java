package dev.toolgate.runtime.output;

import dev.toolgate.core.artifact.ArtifactIndex;
import dev.toolgate.core.artifact.ArtifactPosition;
import dev.toolgate.core.artifact.ArtifactRefused;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.NameHash;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The artifact index in a folder: one file per artifact, and per content a folder with its storage key and the ids of
 * the artifacts that share it. Several processes may use it at once. A crash leaves at worst an id without an artifact,
 * so that its bytes are never deleted.
 */
final class DiskArtifactIndex implements ArtifactIndex {
    private static final Comparator<StoredArtifact> NEWEST_FIRST = Comparator.comparing(StoredArtifact::createdAt)
            .thenComparing(artifact -> artifact.uri().id())
            .reversed();
    private static final String PLACE = "place";

    private final Path folder;

    private DiskArtifactIndex(Path folder) {
        this.folder = folder;
    }

    static DiskArtifactIndex in(Path folder) throws IOException {
        PrivateFolder.create(folder);
        return new DiskArtifactIndex(folder.toRealPath());
    }

    @Override
    public String add(TenantId tenant, StoredArtifact artifact, String place, long quota) throws IOException {
        PrivateFolder.create(workspaceFolder(tenant, artifact.uri().workspace()));
        Path content = content(tenant, artifact.sha256());
        try (FolderLock _ = lock(tenant)) {
            if (quota < Long.MAX_VALUE && artifact.size() > quota - used(tenant)) {
                throw ArtifactRefused.overQuota(quota);
            }
            PrivateFolder.create(content);
            Path named = content.resolve(PLACE);
            if (!Files.exists(named)) {
                AtomicFile.write(named, place);
            }
            String kept = Files.readString(named);
            AtomicFile.write(content.resolve(artifact.uri().id()), "");
            AtomicFile.write(row(tenant, artifact.uri()), ArtifactRowJson.write(new Row(artifact, kept)));
            return kept;
        }
    }

    @Override
    public Optional<Row> find(TenantId tenant, ArtifactUri uri) throws IOException {
        Path row = row(tenant, uri);
        return Files.isRegularFile(row, LinkOption.NOFOLLOW_LINKS)
                ? ArtifactRowJson.read(row)
                        .filter(found -> found.artifact().uri().equals(uri))
                : Optional.empty();
    }

    @Override
    public List<StoredArtifact> list(
            TenantId tenant,
            ArtifactVisibility reader,
            WorkspaceId workspace,
            @Nullable RequestId request,
            @Nullable ArtifactPosition after,
            int limit)
            throws IOException {
        return rows(workspaceFolder(tenant, workspace)).stream()
                .map(Row::artifact)
                .filter(reader::includes)
                .filter(artifact -> request == null || request.equals(artifact.request()))
                .filter(artifact -> after == null || isAfter(artifact, after))
                .sorted(NEWEST_FIRST)
                .limit(limit)
                .toList();
    }

    private static boolean isAfter(StoredArtifact artifact, ArtifactPosition position) {
        int time = artifact.createdAt().compareTo(position.createdAt());
        return time < 0 || (time == 0 && artifact.uri().id().compareTo(position.id()) < 0);
    }

    @Override
    public Optional<Removal> remove(TenantId tenant, ArtifactUri uri) throws IOException {
        if (find(tenant, uri).isEmpty()) {
            return Optional.empty();
        }
        try (FolderLock _ = lock(tenant)) {
            Optional<Row> row = find(tenant, uri);
            if (row.isEmpty()) {
                return Optional.empty();
            }
            Path content = content(tenant, row.get().artifact().sha256());
            Files.delete(row(tenant, uri));
            Files.deleteIfExists(content.resolve(uri.id()));
            try (Stream<Path> names = Files.list(content)) {
                if (names.anyMatch(name -> !name.endsWith(PLACE))) {
                    return Optional.of(new Removal(Optional.empty()));
                }
            }
            Files.deleteIfExists(content.resolve(PLACE));
            Files.delete(content);
            return Optional.of(new Removal(Optional.of(row.get().place())));
        }
    }

    @Override
    public long used(TenantId tenant) throws IOException {
        return rows(tenantFolder(tenant).resolve("artifacts")).stream()
                .mapToLong(row -> row.artifact().size())
                .sum();
    }

    @Override
    public Set<String> named(List<String> places) throws IOException {
        Set<String> all = new HashSet<>();
        rows(folder).forEach(row -> all.add(row.place()));
        all.retainAll(new HashSet<>(places));
        return all;
    }

    private static List<Row> rows(Path under) throws IOException {
        if (!Files.isDirectory(under)) {
            return List.of();
        }
        RowWalk walk = new RowWalk();
        Files.walkFileTree(under, walk);
        return walk.rows();
    }

    private FolderLock lock(TenantId tenant) throws IOException {
        return FolderLock.of(tenantFolder(tenant));
    }

    private Path row(TenantId tenant, ArtifactUri uri) {
        return workspaceFolder(tenant, uri.workspace()).resolve(uri.id() + ArtifactRowJson.SUFFIX);
    }

    private Path workspaceFolder(TenantId tenant, WorkspaceId workspace) {
        return tenantFolder(tenant).resolve("artifacts").resolve(NameHash.of(workspace.value()));
    }

    private Path content(TenantId tenant, String sha256) {
        return tenantFolder(tenant).resolve("content").resolve(sha256);
    }

    private Path tenantFolder(TenantId tenant) {
        return folder.resolve(NameHash.of(tenant.value()));
    }
}
