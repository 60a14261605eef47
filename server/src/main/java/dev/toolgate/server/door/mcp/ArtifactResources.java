package dev.toolgate.server.door.mcp;

import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.FoundArtifact;
import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.door.artifact.ArtifactReads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Artifacts as resources, which results link to. They are read by the rules of {@code GET /workspaces/…/artifacts/…}
 * and not listed, because there may be too many.
 */
final class ArtifactResources {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactResources.class);
    private static final String SCHEME = "toolgate:///";
    private static final int MAX_BYTES = 8 << 20;

    private final ArtifactReads reads;

    ArtifactResources(ArtifactReads reads) {
        this.reads = reads;
    }

    /** The URI of an artifact as a resource. */
    static String uri(String artifact) {
        return SCHEME + artifact;
    }

    /** Whether a URI is that of an artifact. */
    static boolean isArtifact(String uri) {
        return uri.startsWith(SCHEME);
    }

    /** Reads an artifact. */
    CallOutcome read(RequestContext context, String uri) {
        McpCaller caller = McpCaller.of(context);
        try {
            FoundArtifact found = artifact(uri)
                    .flatMap(artifact -> found(context, caller, artifact))
                    .orElseThrow(() -> absent(uri));
            if (found.facts().size() > MAX_BYTES) {
                throw RpcErrorCode.INVALID_PARAMS.exception(
                        "The resource has " + found.facts().size()
                                + " bytes, more than the " + MAX_BYTES + " that can be read here; get it with GET /"
                                + found.facts().uri() + ".");
            }
            return new CallOutcome.Finished(contents(uri, found));
        } catch (NoSuchFileException deletedConcurrently) {
            throw absent(uri);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    private static Optional<ArtifactUri> artifact(String uri) {
        return isArtifact(uri) ? ArtifactUri.parse(uri.substring(SCHEME.length())) : Optional.empty();
    }

    private Optional<FoundArtifact> found(RequestContext context, McpCaller caller, ArtifactUri artifact) {
        try {
            return reads.read(caller.principal(), caller.session(), GateTools.callContext(context, caller), artifact);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    private static RpcException unreadable(IOException why) {
        LOG.warn("An artifact could not be read", why);
        return RpcErrorCode.INTERNAL_ERROR.exception("The resource could not be read; try again shortly.");
    }

    private static ObjectNode contents(String uri, FoundArtifact found) throws IOException {
        byte[] bytes;
        try (InputStream opened = found.open()) {
            bytes = opened.readNBytes(MAX_BYTES);
        }
        ObjectNode result = Json.MAPPER.createObjectNode();
        ObjectNode contents = result.putArray("contents").addObject();
        contents.put("uri", uri).put("mimeType", found.facts().mediaType());
        String text = isText(found.facts().mediaType()) ? text(bytes) : null;
        if (text == null) {
            contents.put("blob", Base64.getEncoder().encodeToString(bytes));
        } else {
            contents.put("text", text);
        }
        return result;
    }

    private static boolean isText(String mediaType) {
        return mediaType.startsWith("text/") || mediaType.startsWith("application/json");
    }

    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            return null;
        }
    }

    /** The error for a resource that does not exist or that the caller may not see. */
    static RpcException absent(String uri) {
        return RpcErrorCode.RESOURCE_NOT_FOUND.exception("There is no resource " + uri + ".");
    }
}
