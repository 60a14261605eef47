package dev.toolgate.core.memory;

import dev.toolgate.core.port.Artifacts;
import dev.toolgate.core.port.ArtifactsContract;

class InMemoryArtifactsTest extends ArtifactsContract {
    private final InMemoryArtifacts artifacts = new InMemoryArtifacts();

    @Override
    protected Artifacts artifacts() {
        return artifacts;
    }
}
