package dev.toolgate.core.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Concurrently;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract of artifact stores for limits and deletion. */
public abstract class ArtifactLimitsContract extends ArtifactsFixture {

    @Test
    void an_empty_artifact_can_be_stored() throws Exception {
        ArtifactStore store = artifacts();
        StoredArtifact stored = write(store, "");

        assertThat(stored.size()).isZero();
        assertThat(read(store, ACME, stored.uri().toString())).isEmpty();
    }

    @Test
    void deleting_keeps_artifacts_with_equal_bytes() throws Exception {
        ArtifactStore store = artifacts();
        StoredArtifact one = write(store, "same");
        StoredArtifact two = write(store, "same");

        assertThat(store.delete(ACME, one.uri())).isTrue();
        assertThat(store.find(ACME, one.uri())).isEmpty();
        assertThat(read(store, ACME, two.uri().toString())).isEqualTo("same");
        assertThat(store.delete(ACME, one.uri())).isFalse();
        assertThat(store.delete(ACME, two.uri())).isTrue();
        StoredArtifact again = write(store, "same");
        assertThat(read(store, ACME, again.uri().toString())).isEqualTo("same");
    }

    @Test
    void concurrent_deletes_and_stores_of_equal_bytes_lose_nothing() throws Exception {
        ArtifactStore store = artifacts();
        List<StoredArtifact> kept = Concurrently.run(8, worker -> {
            StoredArtifact last = write(store, "shared by all");
            for (int i = 0; i < 12; i++) {
                StoredArtifact next = write(store, "shared by all");
                assertThat(store.delete(ACME, last.uri())).isTrue();
                assertThat(read(store, ACME, next.uri().toString())).isEqualTo("shared by all");
                last = next;
            }
            return last;
        });

        for (StoredArtifact artifact : kept) {
            assertThat(read(store, ACME, artifact.uri().toString())).isEqualTo("shared by all");
        }
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 100))
                .containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void an_oversized_artifact_is_refused_early() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1000, 1_000_000));

        assertRefused(ArtifactRefused.Limit.SIZE, () -> store.write(facts(), 1001, unread()));
        assertRefused(ArtifactRefused.Limit.SIZE, () -> store.write(facts(), -1, endless()));
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .isEmpty();
        assertThat(write(store, "x".repeat(1000)).size()).isEqualTo(1000);
    }

    @Test
    void deleting_frees_quota() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1 << 20, 1000));
        StoredArtifact first = write(store, "x".repeat(600));

        assertRefused(ArtifactRefused.Limit.QUOTA, () -> store.write(facts(), 401, unread()));
        assertRefused(ArtifactRefused.Limit.QUOTA, () -> store.write(facts(), -1, endless()));
        assertThat(write(store, "y".repeat(400)).size()).isEqualTo(400);
        assertThat(store.delete(ACME, first.uri())).isTrue();
        assertThat(write(store, "z".repeat(600)).size()).isEqualTo(600);
        NewArtifact others = new NewArtifact(OTHER, WORKSPACE, null, null, null, null, "upload", "text/plain", "o");
        assertThat(store.write(others, -1, bytes("x".repeat(1000))).size()).isEqualTo(1000);
    }

    @Test
    void the_quota_holds_under_concurrent_uploads() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1000, 1000));
        Concurrently.run(16, worker -> {
            for (int i = 0; i < 4; i++) {
                try {
                    store.write(
                            facts(),
                            worker % 2 == 0 ? -1 : 90,
                            bytes((worker + "").repeat(90).substring(0, 90)));
                } catch (ArtifactRefused full) {
                    assertThat(full.limit()).isEqualTo(ArtifactRefused.Limit.QUOTA);
                }
            }
            return worker;
        });
        long stored = store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 100).stream()
                .mapToLong(StoredArtifact::size)
                .sum();
        while (stored + 90 <= 1000) { // concurrent uploads may have refused each other, but only temporarily
            stored += write(store, "e".repeat(90)).size();
        }

        assertThat(stored).isEqualTo(990);
        assertRefused(ArtifactRefused.Limit.QUOTA, () -> write(store, "f".repeat(90)));
    }

    @Test
    void a_failed_upload_leaves_nothing() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1 << 20, 1 << 20));
        assertThatThrownBy(() -> store.write(facts(), 1 << 20, new BrokenSource(500_000)))
                .hasMessage("the line is cut");
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .isEmpty();
        assertThat(write(store, "y".repeat(1 << 20)).size()).isEqualTo(1 << 20);
    }
}
