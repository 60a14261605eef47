package dev.toolgate.store.audit;

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

    FieldDigest add(@Nullable String field) {
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

    FieldDigest add(long field) {
        return add(Long.toString(field));
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
        digest.update(gathered.flip());
        gathered.clear();
    }
}
