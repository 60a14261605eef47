package dev.toolgate.core.artifact;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The list of artifacts: what each is, and where its bytes are. Bytes that a tenant has twice are listed once. */
public interface ArtifactIndex {

    /** One artifact and the place of its bytes. */
    record Row(StoredArtifact artifact, String place) {}

    /**
     * What came of removing an artifact.
     *
     * @param freed the place of its bytes, if no other artifact has them
     */
    record Removal(Optional<String> freed) {}

    /**
     * Puts an artifact on the list.
     *
     * @param place where its bytes are; nobody has used this place before
     * @param quota how many bytes all artifacts of the tenant may have together, this one included
     * @return where its bytes are from now on: another place, if the tenant has the same bytes there already
     * @throws dev.toolgate.core.artifact.ArtifactRefused if the quota is in the way, however many are added at once
     */
    String add(TenantId tenant, StoredArtifact artifact, String place, long quota) throws IOException;

    /** One artifact of this tenant. */
    Optional<Row> find(TenantId tenant, ArtifactUri uri) throws IOException;

    /** The artifacts of a workspace that somebody may see, newest first, those after a place in that order. */
    List<StoredArtifact> list(
            TenantId tenant, ArtifactReader reader, WorkspaceId workspace, @Nullable ArtifactPosition after, int limit)
            throws IOException;

    /** Takes an artifact off the list; empty if it is not on it. */
    Optional<Removal> remove(TenantId tenant, ArtifactUri uri) throws IOException;

    /** How many bytes the artifacts of a tenant have together. */
    long used(TenantId tenant) throws IOException;

    /** Which of these places have a name. */
    Set<String> named(List<String> places) throws IOException;
}
