package dev.toolgate.core.artifact;

import java.time.Clock;

/** Artifacts in memory, for tests and short-lived programs. */
public final class InMemoryArtifacts extends IndexedArtifacts {

    public InMemoryArtifacts() {
        this(ArtifactLimits.NONE);
    }

    public InMemoryArtifacts(ArtifactLimits limits) {
        super(new InMemoryBlobs(), new InMemoryArtifactIndex(), limits, Clock.systemUTC());
    }
}
