package dev.toolgate.store.identity;

import dev.toolgate.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The SHA-256 digest of a secret; the secret itself is never stored. */
public record SecretDigest(long first, long second, long third, long fourth) {
    private static final int LENGTH = 32;

    /** The digest of a secret. */
    public static SecretDigest of(String secret) {
        ByteBuffer bytes = ByteBuffer.wrap(Sha256.of(secret.getBytes(StandardCharsets.UTF_8)));
        return new SecretDigest(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    /** Its 32 bytes. */
    public byte[] bytes() {
        return ByteBuffer.allocate(LENGTH)
                .putLong(first)
                .putLong(second)
                .putLong(third)
                .putLong(fourth)
                .array();
    }

    /** Does not contain the digest. */
    @Override
    public String toString() {
        return "SecretDigest";
    }
}
