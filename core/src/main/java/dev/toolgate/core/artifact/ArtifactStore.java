package dev.toolgate.core.artifact;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Full access to stored artifacts: upload, lookup with visibility, listing and deletion. */
public interface ArtifactStore extends Artifacts {

    /**
     * Stores a stream in constant memory.
     *
     * @param expected the announced size, used to refuse early; negative if unknown
     * @throws dev.toolgate.core.artifact.ArtifactRefused if a limit is exceeded
     */
    StoredArtifact write(NewArtifact facts, long expected, InputStream bytes) throws IOException;

    /** Finds an artifact of this tenant without a visibility check; empty if there is none. */
    Optional<FoundArtifact> find(TenantId tenant, ArtifactUri uri) throws IOException;

    /** Finds an artifact of this tenant within a visibility. */
    Lookup find(TenantId tenant, ArtifactVisibility visibility, ArtifactUri uri) throws IOException;

    /**
     * The visible artifacts of a workspace, newest first.
     *
     * @param after where the page before this one ended
     */
    default List<StoredArtifact> list(
            TenantId tenant,
            ArtifactVisibility visibility,
            WorkspaceId workspace,
            @Nullable ArtifactPosition after,
            int limit)
            throws IOException {
        return list(tenant, visibility, workspace, null, after, limit);
    }

    /**
     * The same, of one call.
     *
     * @param request {@code null} for all of them
     */
    List<StoredArtifact> list(
            TenantId tenant,
            ArtifactVisibility visibility,
            WorkspaceId workspace,
            @Nullable RequestId request,
            @Nullable ArtifactPosition after,
            int limit)
            throws IOException;

    /** Deletes an artifact and returns whether there was one. Bytes shared with another artifact stay. */
    boolean delete(TenantId tenant, ArtifactUri uri) throws IOException;
}
