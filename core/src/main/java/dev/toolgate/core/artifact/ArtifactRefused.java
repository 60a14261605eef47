package dev.toolgate.core.artifact;

import java.io.IOException;

/** An artifact was not stored because of a limit; the message says which. */
public final class ArtifactRefused extends IOException {
    private static final long serialVersionUID = 1L;

    /** The exceeded limit. */
    public enum Limit {
        /** The size of one artifact. */
        SIZE,
        /** The total size of the tenant's artifacts. */
        QUOTA
    }

    private final Limit limit;

    private ArtifactRefused(Limit limit, String message) {
        super(message);
        this.limit = limit;
    }

    /** The artifact exceeds the size limit. */
    public static ArtifactRefused tooLarge(long maxBytes) {
        return new ArtifactRefused(
                Limit.SIZE, "An artifact may have " + maxBytes + " bytes at most; store it in parts.");
    }

    /** The tenant's quota would be exceeded. */
    public static ArtifactRefused overQuota(long quota) {
        return new ArtifactRefused(
                Limit.QUOTA,
                "The artifacts of the tenant may have " + quota
                        + " bytes together, which this one would exceed; delete some, or ask for a larger quota.");
    }

    /** The exceeded limit. */
    public Limit limit() {
        return limit;
    }
}
