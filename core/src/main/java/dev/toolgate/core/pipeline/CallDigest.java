package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.port.RequestKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Tells whether two calls under one request id are the same call. */
final class CallDigest {
    private final MessageDigest digest;

    private CallDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    static RequestKey key(Call call) {
        CallDigest all = new CallDigest();
        all.add(call.caller().agent().value());
        all.add(call.caller().session() == null ? null : call.caller().session().value());
        all.add(call.toolName());
        all.add(call.operation());
        all.add(call.project());
        all.add(call.arguments().toString());
        return new RequestKey(
                call.caller().tenant(), call.requestId(), HexFormat.of().formatHex(all.digest.digest()));
    }

    // With its length in front, so that no two lists of parts look the same.
    private void add(@Nullable String part) {
        if (part == null) {
            digest.update((byte) 0);
            return;
        }
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((byte) 1);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }
}
