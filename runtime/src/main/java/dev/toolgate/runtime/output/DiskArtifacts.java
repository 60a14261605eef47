package dev.toolgate.runtime.output;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.IndexedArtifacts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;

/** Stores artifacts and their index in a folder, for programs without a database. */
public final class DiskArtifacts {
    private DiskArtifacts() {}

    /** Opens the store in this folder, creating it if necessary. */
    public static ArtifactStore in(Path folder) throws IOException {
        return in(folder, ArtifactLimits.NONE);
    }

    /** Opens the store in this folder with these limits; usage against a quota is recounted for every artifact. */
    public static ArtifactStore in(Path folder, ArtifactLimits limits) throws IOException {
        DiskBlobs blobs = DiskBlobs.in(folder);
        return new IndexedArtifacts(blobs, DiskArtifactIndex.in(folder.resolve("index")), limits, Clock.systemUTC());
    }
}
