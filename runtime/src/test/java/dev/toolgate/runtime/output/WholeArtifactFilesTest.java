package dev.toolgate.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.artifact.ArtifactIndex;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.call.FilledRecords;
import dev.toolgate.core.call.WorkspaceId;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All components of an artifact's index row survive writing and reading. */
class WholeArtifactFilesTest {
    @TempDir
    private Path folder;

    @Test
    void an_index_row_survives_writing_and_reading() throws Exception {
        ArtifactUri uri = ArtifactUri.random(new WorkspaceId("ws"));
        ArtifactIndex.Row row =
                new FilledRecords().with(ArtifactUri.class, () -> uri).fill(ArtifactIndex.Row.class);

        Path file = Files.writeString(folder.resolve("row"), ArtifactRowJson.write(row));

        assertThat(ArtifactRowJson.read(file)).contains(row);
    }
}
