package dev.toolgate.store.artifact;

import dev.toolgate.core.artifact.Blobs;
import dev.toolgate.store.s3.S3Blobs;
import dev.toolgate.store.s3.S3Server;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class S3ArtifactsTest extends PostgresArtifactsTest {
    @TempDir
    private static Path folder;

    private static S3Server server;

    @BeforeAll
    static void start() throws IOException {
        server = S3Server.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Blobs blobs() throws IOException {
        Path spool = folder.resolve("spool");
        return S3Blobs.open(S3Server.settings(server.newBucket(spool), "", server.endpoint(), spool));
    }
}
