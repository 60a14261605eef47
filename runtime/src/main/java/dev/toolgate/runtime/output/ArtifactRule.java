package dev.toolgate.runtime.output;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import java.util.Optional;

/**
 * Which output is kept whole beside the text that a model reads: everything of these kinds that is
 * larger than the threshold. This is the only place that knows the threshold.
 */
public enum ArtifactRule {
    /** What a command wrote. */
    COMMAND_OUTPUT("tool_output", "text/plain"),
    /** The difference that writing a file made. */
    FILE_DIFF("file_diff", "text/x-diff"),
    /** The body of an HTTP response. */
    HTTP_BODY("tool_output", "application/octet-stream");

    /** Output of up to this many bytes makes no artifact. */
    public static final int THRESHOLD_BYTES = 10 * 1024;

    private final String kind;
    private final String usualMediaType;

    ArtifactRule(String kind, String usualMediaType) {
        this.kind = kind;
        this.usualMediaType = usualMediaType;
    }

    /** The artifact for this output; empty if the output is small enough to go without. */
    public Optional<Artifact> extract(String name, Content content) {
        return extract(name, usualMediaType, content);
    }

    /** The same, for output whose media type is known. */
    public Optional<Artifact> extract(String name, String mediaType, Content content) {
        return content.size() > THRESHOLD_BYTES
                ? Optional.of(Artifact.of(kind, mediaType, name, content))
                : Optional.empty();
    }
}
