package dev.toolgate.core.artifact;

import java.time.DateTimeException;
import java.time.Instant;

/** A position in a list of artifacts, newest first; the next page starts after it. */
public record ArtifactPosition(Instant createdAt, String id) {

    /** The position of this artifact. */
    public static ArtifactPosition of(StoredArtifact artifact) {
        return new ArtifactPosition(artifact.createdAt(), artifact.uri().id());
    }

    /**
     * Parses a page token.
     *
     * @throws IllegalArgumentException if the token is not valid
     */
    public static ArtifactPosition parse(String token) {
        int middle = token.indexOf('.');
        try {
            String id = token.substring(middle + 1);
            if (middle > 0 && id.matches("art_[0-9a-f-]{36}")) {
                return new ArtifactPosition(
                        Instant.EPOCH.plusNanos(Math.multiplyExact(Long.parseLong(token.substring(0, middle)), 1000L)),
                        id);
            }
        } catch (NumberFormatException | DateTimeException | ArithmeticException malformed) {
            throw new IllegalArgumentException(
                    "The page token is not valid; use the one that came with the previous page.", malformed);
        }
        throw new IllegalArgumentException(
                "The page token is not valid; use the one that came with the previous page.");
    }

    /** The page token; safe in a URL. */
    public String token() {
        return Math.addExact(Math.multiplyExact(createdAt.getEpochSecond(), 1_000_000L), createdAt.getNano() / 1000)
                + "." + id;
    }
}
