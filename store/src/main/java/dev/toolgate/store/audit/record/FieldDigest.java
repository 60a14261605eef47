package dev.toolgate.store.audit.record;

import dev.toolgate.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A digest over length-prefixed fields, so that different lists of fields never have the same input. */
final class FieldDigest {
    private static final int ABSENT = -1;
    private static final int BUFFER_SIZE = 1024;

    private final MessageDigest digest = Sha256.fresh();
    /** Collects short fields, because digesting each one separately takes several times as long. */
    private final ByteBuffer buffer;

    FieldDigest() {
        this(BUFFER_SIZE);
    }

    /**
     * @param bufferSize enough for all fields of a typical digest
     */
    FieldDigest(int bufferSize) {
        this.buffer = ByteBuffer.allocate(bufferSize);
    }

    /** The bytes that {@link #add(String)} would digest; for fields that are used in many digests. */
    static byte[] encoded(String field) {
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
        return addLength(bytes.length).addEncoded(bytes);
    }

    FieldDigest add(long field) {
        return add(Long.toString(field));
    }

    /** Adds a field that was encoded with {@link #encoded}. */
    FieldDigest addEncoded(byte[] bytes) {
        if (bytes.length > buffer.remaining()) {
            flush();
        }
        if (bytes.length > buffer.remaining()) {
            digest.update(bytes);
        } else {
            buffer.put(bytes);
        }
        return this;
    }

    String hex() {
        flush();
        return HexFormat.of().formatHex(digest.digest());
    }

    private FieldDigest addLength(int value) {
        if (buffer.remaining() < Integer.BYTES) {
            flush();
        }
        buffer.putInt(value);
        return this;
    }

    private void flush() {
        digest.update(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}
