package dev.toolgate.core.memory;

import dev.toolgate.core.port.Blobs;
import dev.toolgate.core.port.BlobsContract;

class InMemoryBlobsTest extends BlobsContract {
    @Override
    protected Blobs blobs() {
        return new InMemoryBlobs();
    }
}
