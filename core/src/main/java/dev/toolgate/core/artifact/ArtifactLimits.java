package dev.toolgate.core.artifact;

/**
 * Limits on stored artifacts.
 *
 * @param maxBytes of one artifact
 * @param quota bytes of all artifacts of a tenant together
 */
public record ArtifactLimits(long maxBytes, long quota) {
    /** No limits. */
    public static final ArtifactLimits NONE = new ArtifactLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    public ArtifactLimits {
        if (maxBytes < 1 || quota < 1) {
            throw new IllegalArgumentException("Artifact limits must be at least 1 byte.");
        }
    }
}
