package dev.toolgate.core.artifact;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Artifact metadata and the place of each artifact's bytes. Equal bytes of one tenant share a place. */
public interface ArtifactIndex {

    /** One artifact and the place of its bytes. */
    record Row(StoredArtifact artifact, String place) {}

    /**
     * The result of removing an artifact.
     *
     * @param freed the place of its bytes, if no other artifact uses it
     */
    record Removal(Optional<String> freed) {}

    /**
     * Adds an artifact.
     *
     * @param place where its bytes are; not used by any other artifact
     * @param quota the total bytes of the tenant's artifacts, this one included
     * @return where its bytes are from now on: another place if the tenant already has equal bytes there
     * @throws dev.toolgate.core.artifact.ArtifactRefused if it would exceed the quota, also under concurrent adds
     */
    String add(TenantId tenant, StoredArtifact artifact, String place, long quota) throws IOException;

    /** One artifact of this tenant. */
    Optional<Row> find(TenantId tenant, ArtifactUri uri) throws IOException;

    /** The visible artifacts of a workspace, newest first, after the given position. */
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

    /** Removes an artifact; empty if there is none. */
    Optional<Removal> remove(TenantId tenant, ArtifactUri uri) throws IOException;

    /** The total bytes of a tenant's artifacts. */
    long used(TenantId tenant) throws IOException;

    /** Which of these places are used by an artifact. */
    Set<String> named(List<String> places) throws IOException;
}
