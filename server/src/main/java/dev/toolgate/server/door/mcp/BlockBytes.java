package dev.toolgate.server.door.mcp;

import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.FoundArtifact;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.door.artifact.ArtifactReads;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the bytes of artifacts into content blocks, for the caller of one request. */
record BlockBytes(ArtifactReads reads, RequestContext context) {
    private static final Logger LOG = LoggerFactory.getLogger(BlockBytes.class);
    private static final int MAX_BYTES = 8 << 20;

    /** The bytes in Base64; empty if there are too many for a message, or if they cannot be read. */
    Optional<String> base64(Artifact artifact) {
        if (artifact.content().size() > MAX_BYTES) {
            return Optional.empty();
        }
        try (InputStream opened = open(artifact)) {
            return Optional.of(Base64.getEncoder().encodeToString(opened.readNBytes(MAX_BYTES)));
        } catch (IOException | Unavailable unreadable) {
            LOG.warn("The bytes of an artifact are left out of a result", unreadable);
            return Optional.empty();
        }
    }

    private InputStream open(Artifact artifact) throws IOException {
        String uri = artifact.uri();
        if (!(artifact.content() instanceof Content.InStore) || uri == null) {
            return artifact.content().open();
        }
        McpCaller caller = McpCaller.of(context);
        Optional<FoundArtifact> found = ArtifactUri.parse(uri).isEmpty()
                ? Optional.empty()
                : reads.read(
                        caller.principal(),
                        caller.session(),
                        GateTools.callContext(context, caller),
                        ArtifactUri.parse(uri).get());
        return found.orElseThrow(() -> new IOException("The artifact has been deleted."))
                .open();
    }
}
