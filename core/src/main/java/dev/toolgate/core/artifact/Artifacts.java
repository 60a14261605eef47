package dev.toolgate.core.artifact;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores the artifacts of calls. */
public interface Artifacts {

    /**
     * Stores an artifact and returns it with its URI; a file may be moved instead of copied.
     *
     * @throws dev.toolgate.core.artifact.ArtifactRefused if a limit is exceeded
     */
    default Artifact store(Caller owner, Artifact artifact) throws IOException {
        return store(owner, null, artifact);
    }

    /**
     * The same, of a call.
     *
     * @param request the call that has made it
     */
    Artifact store(Caller owner, @Nullable RequestId request, Artifact artifact) throws IOException;

    /** The content behind a URI of this tenant; empty if there is none. */
    Optional<Content> find(TenantId tenant, String uri) throws IOException;
}
