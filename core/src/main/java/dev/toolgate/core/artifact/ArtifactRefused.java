package dev.toolgate.core.artifact;

import java.io.IOException;

/** An artifact is not stored because of a limit; the message says which, for whoever wanted to store it. */
public final class ArtifactRefused extends IOException {
    private static final long serialVersionUID = 1L;

    /** Which limit. */
    public enum Limit {
        /** Of one artifact. */
        SIZE,
        /** Of all artifacts of the tenant. */
        QUOTA
    }

    private final Limit limit;

    private ArtifactRefused(Limit limit, String message) {
        super(message);
        this.limit = limit;
    }

    /** One artifact would be larger than one may be. */
    public static ArtifactRefused tooLarge(long largest) {
        return new ArtifactRefused(
                Limit.SIZE, "An artifact may have " + largest + " bytes at most; store it in parts.");
    }

    /** All artifacts of the tenant together would be larger than they may be. */
    public static ArtifactRefused overQuota(long quota) {
        return new ArtifactRefused(
                Limit.QUOTA,
                "The artifacts of the tenant may have " + quota
                        + " bytes together, which this one would exceed; delete some, or ask for a larger quota.");
    }

    /** Which limit was in the way. */
    public Limit limit() {
        return limit;
    }
}
