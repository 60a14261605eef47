package dev.toolgate.runtime.output;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import java.util.Optional;

/**
 * Which output is kept whole beside the text that a model reads: of these kinds everything that is
 * larger than the threshold, and what the text cannot show. This is the only place that knows the
 * threshold and what artifacts of each kind are called.
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
        return content.size() > THRESHOLD_BYTES ? Optional.of(keep(name, mediaType, content)) : Optional.empty();
    }

    /** The artifact for output that the text does not show, whatever its size. */
    public Artifact keep(String name, Content content) {
        return keep(name, usualMediaType, content);
    }

    /** The same, for output whose media type is known. */
    public Artifact keep(String name, String mediaType, Content content) {
        return Artifact.of(kind, mediaType, name, content);
    }
}
