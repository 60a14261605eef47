package dev.toolgate.core.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of blob stores. */
public abstract class BlobsContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    /** An empty blob store. */
    protected abstract Blobs blobs() throws Exception;

    @Test
    void equal_bytes_get_separate_places() throws Exception {
        Blobs blobs = blobs();
        Blobs.Blob one = write(blobs, ACME, "same");
        Blobs.Blob two = write(blobs, ACME, "same");
        assertThat(one.place()).isNotEqualTo(two.place());
        assertThat(one.sha256()).isEqualTo(two.sha256()).hasSize(64);

        blobs.delete(ACME, one.place());
        blobs.delete(ACME, one.place());

        assertThatThrownBy(() -> read(blobs, ACME, one)).isInstanceOf(NoSuchFileException.class);
        assertThat(read(blobs, ACME, two)).isEqualTo("same");
    }

    @Test
    void a_taken_file_is_moved(@TempDir Path folder) throws Exception {
        Blobs blobs = blobs();
        Path file = Files.writeString(folder.resolve("file"), "handed over");
        Blobs.Blob blob = blobs.take(ACME, file);

        assertThat(file).doesNotExist();
        assertThat(blob.size()).isEqualTo(11);
        assertThat(read(blobs, ACME, blob)).isEqualTo("handed over");
    }

    @Test
    void a_place_is_accessible_only_to_its_tenant() throws Exception {
        Blobs blobs = blobs();
        Blobs.Blob blob = write(blobs, ACME, "secret");

        assertThatThrownBy(() -> read(blobs, OTHER, blob)).isInstanceOf(NoSuchFileException.class);
        try {
            blobs.delete(OTHER, blob.place());
        } catch (NoSuchFileException notTheirs) {
            assertThat(notTheirs).hasMessage(blob.place());
        }
        assertThat(read(blobs, ACME, blob)).isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "..", "../../etc/passwd", "/etc/passwd", "a\0b"})
    void an_unknown_place_is_not_found(String place) throws Exception {
        Blobs blobs = blobs();

        assertThatThrownBy(() -> blobs.open(ACME, place, ByteRange.whole(10)).close())
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void only_orphaned_blobs_are_removed() throws Exception {
        Blobs blobs = blobs();
        InMemoryArtifactIndex index = new InMemoryArtifactIndex();
        Blobs.Blob named = write(blobs, ACME, "named");
        Blobs.Blob orphan = write(blobs, ACME, "orphan");
        Blobs.Blob others = write(blobs, OTHER, "orphan");
        index.add(ACME, artifact(named), named.place(), Long.MAX_VALUE);
        OrphanedBlobs orphans = new OrphanedBlobs(blobs, index);

        assertThat(orphans.remove(Instant.now().minusSeconds(3600))).isZero();
        assertThat(read(blobs, ACME, orphan)).isEqualTo("orphan");
        assertThat(orphans.remove(Instant.now().plusSeconds(3600))).isEqualTo(2);
        assertThat(read(blobs, ACME, named)).isEqualTo("named");
        assertThatThrownBy(() -> read(blobs, ACME, orphan)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> read(blobs, OTHER, others)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void a_failed_write_leaves_no_blob() throws Exception {
        Blobs blobs = blobs();

        assertThatThrownBy(() -> blobs.write(ACME, new BrokenSource(20 << 20))).hasMessage("the line is cut");
        List<String> places = new ArrayList<>();
        blobs.forEachStoredBefore(Instant.now().plusSeconds(3600), places::addAll);
        assertThat(places).isEmpty();
    }

    private static StoredArtifact artifact(Blobs.Blob blob) {
        return new StoredArtifact(
                ArtifactUri.random(new WorkspaceId("ws")),
                null,
                null,
                null,
                null,
                "upload",
                "text/plain",
                "a",
                blob.size(),
                blob.sha256(),
                Instant.now());
    }

    private static Blobs.Blob write(Blobs blobs, TenantId tenant, String text) throws IOException {
        return blobs.write(tenant, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String read(Blobs blobs, TenantId tenant, Blobs.Blob blob) throws IOException {
        try (InputStream bytes = blobs.open(tenant, blob.place(), ByteRange.whole(blob.size()))) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
