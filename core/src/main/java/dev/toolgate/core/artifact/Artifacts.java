package dev.toolgate.core.artifact;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.TenantId;
import java.io.IOException;
import java.util.Optional;

/** Where the artifacts of calls are kept. */
public interface Artifacts {

    /**
     * Stores an artifact and returns it with its URI; a file handed over may be moved, not copied.
     *
     * @throws dev.toolgate.core.artifact.ArtifactRefused if a limit is in the way
     */
    Artifact store(Caller owner, Artifact artifact) throws IOException;

    /** The content behind a URI of this tenant; empty if there is none. */
    Optional<Content> find(TenantId tenant, String uri) throws IOException;
}
