package dev.toolgate.store.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.FilledRecords;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import org.junit.jupiter.api.Test;

/** Every component of an artifact's metadata survives a round trip through the database. */
class ArtifactRoundTripTest {
    private static final TenantId FIRST = new TenantId("default");

    @Test
    void an_artifact_is_read_back_whole() throws Exception {
        ArtifactUri uri = ArtifactUri.random(new WorkspaceId("ws"));
        StoredArtifact filled =
                new FilledRecords().with(ArtifactUri.class, () -> uri).fill(StoredArtifact.class);
        StoredArtifact artifact = new StoredArtifact(
                filled.uri(),
                filled.agent(),
                filled.session(),
                filled.principal(),
                filled.request(),
                filled.kind(),
                filled.mediaType(),
                filled.name(),
                filled.size(),
                "ab".repeat(32), // stored as bytes, so it must be hexadecimal
                filled.createdAt());
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            PostgresArtifactIndex index = new PostgresArtifactIndex(database.jdbi());
            index.add(FIRST, artifact, "place", Long.MAX_VALUE);

            StoredArtifact found = index.find(FIRST, uri).orElseThrow().artifact();
            assertThat(FilledRecords.differences(artifact, found)).isEmpty();
            assertThat(index.list(FIRST, new ArtifactVisibility.Everything(), uri.workspace(), null, 10))
                    .containsExactly(artifact);
        }
    }
}
