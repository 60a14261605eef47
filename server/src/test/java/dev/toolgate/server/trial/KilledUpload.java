package dev.toolgate.server.trial;

import dev.toolgate.core.artifact.ArtifactIndex;
import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.ArtifactPosition;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.IndexedArtifacts;
import dev.toolgate.core.artifact.NewArtifact;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.runtime.output.DiskBlobs;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A program that exits, as if killed, after an artifact's content is stored and before its row. */
final class KilledUpload implements ArtifactIndex {
    static final int CODE = 9;

    public static void main(String[] arguments) throws Exception {
        var _ = new IndexedArtifacts(
                        DiskBlobs.in(Path.of(arguments[0])), new KilledUpload(), ArtifactLimits.NONE, Clock.systemUTC())
                .write(
                        new NewArtifact(
                                TrialDatabase.FIRST,
                                new WorkspaceId("ws"),
                                null,
                                null,
                                null,
                                null,
                                "upload",
                                "text/plain",
                                "x"),
                        -1,
                        new ByteArrayInputStream("never named".getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String add(TenantId tenant, StoredArtifact artifact, String place, long quota) {
        Runtime.getRuntime().halt(CODE);
        return place;
    }

    @Override
    public Optional<Row> find(TenantId tenant, ArtifactUri uri) {
        return Optional.empty();
    }

    @Override
    public List<StoredArtifact> list(
            TenantId tenant,
            ArtifactVisibility reader,
            WorkspaceId workspace,
            @Nullable RequestId request,
            @Nullable ArtifactPosition after,
            int limit) {
        return List.of();
    }

    @Override
    public Optional<Removal> remove(TenantId tenant, ArtifactUri uri) {
        return Optional.empty();
    }

    @Override
    public long used(TenantId tenant) {
        return 0;
    }

    @Override
    public Set<String> named(List<String> places) {
        return Set.of();
    }
}
