package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.IndexedArtifacts;
import dev.toolgate.core.artifact.NewArtifact;
import dev.toolgate.core.artifact.OrphanedBlobs;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.runtime.output.DiskBlobs;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.artifact.PostgresArtifactIndex;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledUploadTest {
    @TempDir
    private Path home;

    @Test
    void only_content_without_a_row_is_removed() throws Exception {
        Path folder = home.resolve("artifacts");
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            DiskBlobs blobs = DiskBlobs.in(folder);
            PostgresArtifactIndex index = new PostgresArtifactIndex(database.jdbi());
            IndexedArtifacts store = new IndexedArtifacts(blobs, index, ArtifactLimits.NONE, Clock.systemUTC());
            StoredArtifact named = store.write(
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
                    new ByteArrayInputStream("named".getBytes(StandardCharsets.UTF_8)));
            int code = ServerProcess.begin(
                            Map.of("TOOLGATE_HOME", home.toString()), KilledUpload.class, folder.toString())
                    .waitFor();
            assertThat(code).isEqualTo(KilledUpload.CODE);
            assertThat(contents(folder)).containsExactlyInAnyOrder("named", "never named");
            assertThat(store.list(
                            TrialDatabase.FIRST, new ArtifactVisibility.Everything(), new WorkspaceId("ws"), null, 10))
                    .containsExactly(named);

            OrphanedBlobs orphans = new OrphanedBlobs(blobs, index);
            assertThat(orphans.remove(Instant.now().minusSeconds(3600))).isZero(); // it might be an upload in progress
            assertThat(orphans.remove(Instant.now().plusSeconds(3600))).isEqualTo(1);

            assertThat(contents(folder)).containsExactly("named");
            try (InputStream bytes =
                    store.find(TrialDatabase.FIRST, named.uri()).orElseThrow().open()) {
                assertThat(bytes.readAllBytes())
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("named");
            }
        }
    }

    private static List<String> contents(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("content"))) {
            return files.filter(Files::isRegularFile)
                    .map(KilledUploadTest::text)
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
