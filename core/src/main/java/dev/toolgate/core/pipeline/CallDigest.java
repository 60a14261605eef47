package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.port.RequestKey;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Tells whether two calls under one request id are the same call. */
final class CallDigest {
    private static final int USUAL_LENGTH = 512;
    private static final MessageDigest FRESH = sha256();

    private final ByteArrayOutputStream parts = new ByteArrayOutputStream(USUAL_LENGTH);

    private CallDigest() {}

    static RequestKey key(Call call) {
        CallDigest all = new CallDigest();
        all.add(call.caller().agent().value());
        all.add(call.caller().session() == null ? null : call.caller().session().value());
        all.add(call.toolName());
        all.add(call.operation());
        all.add(call.project());
        all.add(call.arguments().toString());
        return new RequestKey(
                call.caller().tenant(),
                call.requestId(),
                HexFormat.of().formatHex(copy().digest(all.parts.toByteArray())));
    }

    // With its length in front, so that no two lists of parts look the same.
    private void add(@Nullable String part) {
        if (part == null) {
            parts.write(0);
            return;
        }
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        parts.write(1);
        parts.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        parts.writeBytes(bytes);
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
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
