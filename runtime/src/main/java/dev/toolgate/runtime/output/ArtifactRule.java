package dev.toolgate.runtime.output;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import java.util.Optional;

/**
 * Which output is stored as an artifact beside the text for the model: everything above the threshold, and what the
 * text cannot show. The threshold and the artifact kinds are defined only here.
 */
public enum ArtifactRule {
    /** Output of a command. */
    COMMAND_OUTPUT("tool_output", "text/plain"),
    /** The diff of a written file. */
    FILE_DIFF("file_diff", "text/x-diff"),
    /** The body of an HTTP response. */
    HTTP_BODY("tool_output", "application/octet-stream"),
    /** The result of an MCP server's tool. */
    MCP_RESULT("tool_output", "text/plain");

    /** Output up to this size is not stored as an artifact. */
    public static final int THRESHOLD_BYTES = 10 * 1024;

    private final String kind;
    private final String defaultMediaType;

    ArtifactRule(String kind, String defaultMediaType) {
        this.kind = kind;
        this.defaultMediaType = defaultMediaType;
    }

    /** The artifact for this output; empty if the output is below the threshold. */
    public Optional<Artifact> extract(String name, Content content) {
        return extract(name, defaultMediaType, content);
    }

    /** The same, for output whose media type is known. */
    public Optional<Artifact> extract(String name, String mediaType, Content content) {
        return content.size() > THRESHOLD_BYTES ? Optional.of(keep(name, mediaType, content)) : Optional.empty();
    }

    /** The artifact for output that the text does not show, regardless of size. */
    public Artifact keep(String name, Content content) {
        return keep(name, defaultMediaType, content);
    }

    /** The same, for output whose media type is known. */
    public Artifact keep(String name, String mediaType, Content content) {
        return Artifact.of(kind, mediaType, name, content);
    }
}
