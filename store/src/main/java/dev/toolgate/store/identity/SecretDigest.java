package dev.toolgate.store.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The SHA-256 of a secret, which is all that is kept of it. */
public record SecretDigest(long first, long second, long third, long fourth) {
    private static final int LENGTH = 32;

    /** The digest of a secret. */
    public static SecretDigest of(String secret) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            ByteBuffer bytes = ByteBuffer.wrap(hash);
            return new SecretDigest(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    byte[] bytes() {
        return ByteBuffer.allocate(LENGTH)
                .putLong(first)
                .putLong(second)
                .putLong(third)
                .putLong(fourth)
                .array();
    }

    /** Says nothing of the digest. */
    @Override
    public String toString() {
        return "SecretDigest";
    }
}
