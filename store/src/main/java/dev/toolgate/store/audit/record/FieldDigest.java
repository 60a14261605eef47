package dev.toolgate.store.audit.record;

import dev.toolgate.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A digest over fields, each with its length, so that no two lists of fields look the same. */
final class FieldDigest {
    private static final int ABSENT = -1;
    private static final int USUAL_LENGTH = 1024;

    private final MessageDigest digest = Sha256.fresh();
    /** Gathers short fields, since digesting each by itself takes several times as long. */
    private final ByteBuffer gathered = ByteBuffer.allocate(USUAL_LENGTH);

    /** What {@link #add(String)} gives the digest for this field; for one that is given to many. */
    static byte[] prepared(String field) {
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    FieldDigest add(@Nullable String field) {
        if (field == null) {
            return addLength(ABSENT);
        }
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        return addLength(bytes.length).addPrepared(bytes);
    }

    FieldDigest add(long field) {
        return add(Long.toString(field));
    }

    /** Adds a field that {@link #prepared} has made ready. */
    FieldDigest addPrepared(byte[] bytes) {
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

    String hex() {
        flush();
        return HexFormat.of().formatHex(digest.digest());
    }

    private FieldDigest addLength(int value) {
        if (gathered.remaining() < Integer.BYTES) {
            flush();
        }
        gathered.putInt(value);
        return this;
    }

    private void flush() {
        digest.update(gathered.array(), 0, gathered.position());
        gathered.clear();
    }
}
