package dev.toolgate.runtime.output;

import dev.toolgate.core.artifact.Blobs;
import dev.toolgate.core.artifact.BlobsContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DiskBlobsTest extends BlobsContract {
    @TempDir
    private Path folder;

    @Override
    protected Blobs blobs() throws IOException {
        return DiskBlobs.in(folder.resolve("blobs"));
    }
}
