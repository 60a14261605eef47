package dev.toolgate.core.memory;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.port.ArtifactStore;
import dev.toolgate.core.port.ArtifactsContract;

class InMemoryArtifactsTest extends ArtifactsContract {
    @Override
    protected ArtifactStore artifacts(ArtifactLimits limits) {
        return new InMemoryArtifacts(limits);
    }
}
