package dev.toolgate.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.artifact.ArtifactIndex;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.StoredArtifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RowWalkTest {
    private static final int WALKS = 300;

    @TempDir
    private Path folder;

    @Test
    void finds_every_row_during_concurrent_writes() throws Exception {
        for (int i = 0; i < 50; i++) {
            Files.writeString(folder.resolve(i + ArtifactRowJson.SUFFIX), ArtifactRowJson.write(row(i)));
        }
        CountDownLatch over = new CountDownLatch(1);
        Future<Integer> writer = inBackground(over);
        int walks = 0;
        for (; walks < WALKS; walks++) {
            RowWalk walk = new RowWalk();
            Files.walkFileTree(folder, walk);
            assertThat(walk.rows()).hasSize(50);
        }
        over.countDown();
        assertThat(writer.get()).isPositive();
    }

    /** Keeps renaming files until it is stopped. */
    private Future<Integer> inBackground(CountDownLatch over) {
        FutureTask<Integer> writing = new FutureTask<>(() -> {
            int written = 0;
            while (over.getCount() > 0) {
                for (int i = 0; i < 20; i++) {
                    replace(folder.resolve("new-" + written++ % 100 + ".part"));
                }
            }
            return written;
        });
        Thread.ofPlatform().daemon().start(writing);
        return writing;
    }

    private void replace(Path part) throws IOException {
        Files.writeString(part, "x");
        Files.move(part, folder.resolve("moved"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static ArtifactIndex.Row row(int number) {
        String id = "workspaces/w/artifacts/art_" + new UUID(0, number);
        return new ArtifactIndex.Row(
                new StoredArtifact(
                        ArtifactUri.parse(id).orElseThrow(),
                        null,
                        null,
                        null,
                        null,
                        "k",
                        "t/p",
                        "n",
                        1,
                        "00",
                        Instant.EPOCH),
                "place");
    }
}
