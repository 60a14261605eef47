package dev.toolgate.store.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.ArtifactsContract;
import dev.toolgate.core.artifact.Blobs;
import dev.toolgate.core.artifact.InMemoryBlobs;
import dev.toolgate.core.artifact.IndexedArtifacts;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresArtifactsTest extends ArtifactsContract {
    private static Database database;

    private Blobs blobs;

    @BeforeAll
    static void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        database.jdbi()
                .useHandle(handle -> handle.execute(
                        "INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')"));
    }

    @AfterAll
    static void close() throws Exception {
        database.close();
    }

    @BeforeEach
    void empty() throws Exception {
        database.jdbi().useHandle(handle -> handle.execute("TRUNCATE artifacts, artifact_contents, artifact_usage"));
        blobs = blobs();
    }

    protected Blobs blobs() throws Exception {
        return new InMemoryBlobs();
    }

    @Override
    protected ArtifactStore artifacts(ArtifactLimits limits) {
        return new IndexedArtifacts(blobs, new PostgresArtifactIndex(database.jdbi()), limits, Clock.systemUTC());
    }

    @Test
    void usage_is_the_sum_of_artifacts_and_unreferenced_bytes_are_deleted() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1000, 1000));
        StoredArtifact one = write(store, "twice");
        StoredArtifact two = write(store, "twice");
        StoredArtifact three = write(store, "once");
        assertThat(places()).hasSize(2);
        assertThat(used()).isEqualTo(14);

        store.delete(ACME, one.uri());
        assertThat(places()).hasSize(2);
        store.delete(ACME, two.uri());
        store.delete(ACME, three.uri());

        assertThat(places()).isEmpty();
        assertThat(used()).isZero();
        assertThat(rows("artifact_contents")).isZero();
    }

    @Test
    void retention_deletes_old_artifacts_only() throws Exception {
        ArtifactStore store = artifacts(ArtifactLimits.NONE);
        StoredArtifact old = write(store, "old");
        StoredArtifact young = write(store, "young");
        database.jdbi()
                .useHandle(handle -> handle.execute(
                        "UPDATE artifacts SET created_at = created_at - INTERVAL '3 days' WHERE artifact_id = ?",
                        old.uri().id()));
        ArtifactRetention retention = new ArtifactRetention(database.jdbi(), store);

        assertThat(retention.remove(Instant.now().minusSeconds(24 * 3600))).isEqualTo(1);

        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .containsExactly(young);
        assertThat(places()).hasSize(1);
    }

    private List<String> places() throws Exception {
        List<String> places = new ArrayList<>();
        blobs.forEachStoredBefore(Instant.now().plusSeconds(3600), places::addAll);
        return places;
    }

    private long used() {
        return new PostgresArtifactIndex(database.jdbi()).used(ACME);
    }

    private long rows(String table) {
        return database.jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                .mapTo(long.class)
                .one());
    }
}
