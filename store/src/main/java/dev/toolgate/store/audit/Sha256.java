package dev.toolgate.store.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A digest over fields, each with its length, so that no two lists of fields look the same. */
final class Sha256 {
    private static final int ABSENT = -1;
    private final MessageDigest digest = sha256();
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);

    Sha256 add(@Nullable String field) {
        if (field == null) {
            return addLength(ABSENT);
        }
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        addLength(bytes.length);
        digest.update(bytes);
        return this;
    }

    Sha256 add(long field) {
        return add(Long.toString(field));
    }

    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private Sha256 addLength(int value) {
        digest.update(length.clear().putInt(value).flip());
        return this;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
