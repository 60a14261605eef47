package dev.toolgate.core.artifact;

class InMemoryBlobsTest extends BlobsContract {
    @Override
    protected Blobs blobs() {
        return new InMemoryBlobs();
    }
}
