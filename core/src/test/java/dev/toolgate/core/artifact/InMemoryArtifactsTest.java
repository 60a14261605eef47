package dev.toolgate.core.artifact;

class InMemoryArtifactsTest extends ArtifactsContract {
    @Override
    protected ArtifactStore artifacts(ArtifactLimits limits) {
        return new InMemoryArtifacts(limits);
    }
}
