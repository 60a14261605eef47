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
    private static final int USUAL_LENGTH = 1024;
    private static final MessageDigest FRESH = sha256();

    private final MessageDigest digest = copy();
    /** Gathers short fields, since digesting each by itself takes several times as long. */
    private final ByteBuffer gathered = ByteBuffer.allocate(USUAL_LENGTH);

    Sha256 add(@Nullable String field) {
        if (field == null) {
            return addLength(ABSENT);
        }
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        addLength(bytes.length);
        if (bytes.length > gathered.remaining()) {
            flush();
        }
        if (bytes.length > gathered.remaining()) {
            digest.update(bytes);
        } else {
            gathered.put(bytes);
        }
        return this;
    }

    Sha256 add(long field) {
        return add(Long.toString(field));
    }

    String hex() {
        flush();
        return HexFormat.of().formatHex(digest.digest());
    }

    private Sha256 addLength(int value) {
        if (gathered.remaining() < Integer.BYTES) {
            flush();
        }
        gathered.putInt(value);
        return this;
    }

    private void flush() {
        digest.update(gathered.flip());
        gathered.clear();
    }

    // Looking the algorithm up takes longer than copying one that has been found.
    private static MessageDigest copy() {
        try {
            return (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException otherProvider) {
            return sha256();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
