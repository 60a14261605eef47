package dev.toolgate.core.artifact;

import java.time.DateTimeException;
import java.time.Instant;

/** A place in a list of artifacts, newest first: the list goes on with what comes after this one. */
public record ArtifactPosition(Instant createdAt, String id) {

    /** The place of this artifact. */
    public static ArtifactPosition of(StoredArtifact artifact) {
        return new ArtifactPosition(artifact.createdAt(), artifact.uri().id());
    }

    /**
     * Reads a token.
     *
     * @throws IllegalArgumentException if nobody has given it out
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
        } catch (NumberFormatException | DateTimeException | ArithmeticException madeUp) {
            throw new IllegalArgumentException("This is no place in a list of artifacts.", madeUp);
        }
        throw new IllegalArgumentException("This is no place in a list of artifacts.");
    }

    /** This place as one word that needs no escapes in an address. */
    public String token() {
        return Math.addExact(Math.multiplyExact(createdAt.getEpochSecond(), 1_000_000L), createdAt.getNano() / 1000)
                + "." + id;
    }
}
