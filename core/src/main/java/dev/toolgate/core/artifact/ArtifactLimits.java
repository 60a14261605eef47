package dev.toolgate.core.artifact;

/**
 * How much may be stored.
 *
 * @param largest the most bytes of one artifact
 * @param quota the most bytes of all artifacts of a tenant together
 */
public record ArtifactLimits(long largest, long quota) {
    /** No limits but those of the disk. */
    public static final ArtifactLimits NONE = new ArtifactLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    public ArtifactLimits {
        if (largest < 1 || quota < 1) {
            throw new IllegalArgumentException("The limits of artifacts must be at least 1 byte.");
        }
    }
}
