package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.digest.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A digest to compare two calls under one request id. */
final class CallDigest {
    private static final int INITIAL_CAPACITY = 512;

    private final ByteArrayOutputStream parts = new ByteArrayOutputStream(INITIAL_CAPACITY);

    private CallDigest() {}

    static RequestKey key(Call call) {
        CallDigest all = new CallDigest();
        all.add(call.caller().agent().value());
        all.add(call.caller().session() == null ? null : call.caller().session().value());
        all.add(call.toolName());
        all.add(call.operation());
        all.add(call.project());
        all.add(call.arguments().toString());
        if (call.permitFor() != null) {
            all.add("permit"); // so that a permit is never mistaken for an outcome of the gate or vice versa
        }
        return new RequestKey(
                call.caller().tenant(),
                call.caller().agent(),
                call.requestId(),
                HexFormat.of().formatHex(Sha256.of(all.parts.toByteArray())));
    }

    // Length-prefixed, so that different lists of parts never encode alike.
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
}
