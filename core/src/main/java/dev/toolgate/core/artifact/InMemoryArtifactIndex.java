package dev.toolgate.core.artifact;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The artifact index in memory. */
public final class InMemoryArtifactIndex implements ArtifactIndex {
    private static final Comparator<StoredArtifact> NEWEST_FIRST = Comparator.comparing(StoredArtifact::createdAt)
            .thenComparing(artifact -> artifact.uri().id())
            .reversed();

    private final Map<TenantId, Map<ArtifactUri, Row>> tenants = new HashMap<>();

    @Override
    public synchronized String add(TenantId tenant, StoredArtifact artifact, String place, long quota)
            throws ArtifactRefused {
        if (artifact.size() > quota - used(tenant)) {
            throw ArtifactRefused.overQuota(quota);
        }
        Map<ArtifactUri, Row> rows = tenants.computeIfAbsent(tenant, _ -> new HashMap<>());
        String known = rows.values().stream()
                .filter(row -> row.artifact().sha256().equals(artifact.sha256()))
                .map(Row::place)
                .findAny()
                .orElse(place);
        rows.put(artifact.uri(), new Row(artifact, known));
        return known;
    }

    @Override
    public synchronized Optional<Row> find(TenantId tenant, ArtifactUri uri) {
        return Optional.ofNullable(rows(tenant).get(uri));
    }

    @Override
    public synchronized List<StoredArtifact> list(
            TenantId tenant,
            ArtifactVisibility visibility,
            WorkspaceId workspace,
            @Nullable RequestId request,
            @Nullable ArtifactPosition after,
            int limit) {
        return rows(tenant).values().stream()
                .map(Row::artifact)
                .filter(artifact -> artifact.uri().workspace().equals(workspace))
                .filter(visibility::includes)
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
    public synchronized Optional<Removal> remove(TenantId tenant, ArtifactUri uri) {
        Row row = rows(tenant).remove(uri);
        if (row == null) {
            return Optional.empty();
        }
        boolean wanted =
                rows(tenant).values().stream().anyMatch(other -> other.place().equals(row.place()));
        return Optional.of(new Removal(wanted ? Optional.empty() : Optional.of(row.place())));
    }

    @Override
    public synchronized long used(TenantId tenant) {
        return rows(tenant).values().stream()
                .mapToLong(row -> row.artifact().size())
                .sum();
    }

    @Override
    public synchronized Set<String> named(List<String> places) {
        Set<String> named = new HashSet<>(places);
        Set<String> all = new HashSet<>();
        tenants.values().forEach(rows -> rows.values().forEach(row -> all.add(row.place())));
        named.retainAll(all);
        return named;
    }

    private Map<ArtifactUri, Row> rows(TenantId tenant) {
        return tenants.getOrDefault(tenant, new HashMap<>());
    }
}
