package dev.toolgate.core.digest;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256. */
public final class Sha256 {
    private static final MessageDigest FRESH = found();

    private Sha256() {}

    /** A new digest. */
    public static MessageDigest fresh() {
        try {
            // Cloning is faster than looking up the algorithm.
            return (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException otherProvider) {
            return found();
        }
    }

    /** The digest of these bytes. */
    public static byte[] of(byte[] bytes) {
        return fresh().digest(bytes);
    }

    private static MessageDigest found() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform provides SHA-256.", impossible);
        }
    }
}
