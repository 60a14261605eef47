package dev.toolgate.core.artifact;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The artifacts of calls and everything else that is stored beside them, for those who look after them. */
public interface ArtifactStore extends Artifacts {

    /**
     * Stores bytes as they arrive, in constant memory.
     *
     * @param expected how many there will be, for refusing them before they come; negative if nobody knows
     * @throws dev.toolgate.core.artifact.ArtifactRefused if a limit is in the way
     */
    StoredArtifact write(NewArtifact facts, long expected, InputStream bytes) throws IOException;

    /** An artifact of this tenant, whoever asks; empty if there is none. Doors look for it in their caller's name. */
    Optional<FoundArtifact> find(TenantId tenant, ArtifactUri uri) throws IOException;

    /** An artifact of this tenant, for somebody who may see these. */
    Lookup find(TenantId tenant, ArtifactReader reader, ArtifactUri uri) throws IOException;

    /**
     * The artifacts of a workspace that somebody may see, newest first.
     *
     * @param after where the page before this one ended
     */
    List<StoredArtifact> list(
            TenantId tenant, ArtifactReader reader, WorkspaceId workspace, @Nullable ArtifactPosition after, int limit)
            throws IOException;

    /** Removes an artifact; whether there was one. Its bytes go when no other artifact has the same. */
    boolean delete(TenantId tenant, ArtifactUri uri) throws IOException;
}
