package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.redact.Masked;
import dev.toolgate.core.redact.RecordedParameters;
import dev.toolgate.core.redact.Redactor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Says what goes on record of the arguments of a call: without secrets, with their digest, and not too much. */
final class CallRecorder {
    /** Of a call whose tool was started. */
    private static final int MAX_BYTES = 1024 * 1024;

    /** Of a call that was refused, which costs its caller nothing and must cost the record little. */
    private static final int MAX_REFUSED_BYTES = 4 * 1024;

    private final Redactor redactor;
    private final @Nullable KeyedDigest digest;

    /**
     * @param digest {@code null} where no digests go on record
     */
    CallRecorder(Redactor redactor, @Nullable KeyedDigest digest) {
        this.redactor = redactor;
        this.digest = digest;
    }

    /** The arguments of a call whose tool is about to start. */
    Masked<ObjectNode> intended(Call call) {
        return parameters(call, MAX_BYTES);
    }

    /** The arguments of a call that has ended. */
    Masked<ObjectNode> ended(Passage passage) {
        return parameters(passage.call(), passage.hasStarted() ? MAX_BYTES : MAX_REFUSED_BYTES);
    }

    private Masked<ObjectNode> parameters(Call call, int maxBytes) {
        return new RecordedParameters(redactor(call), digest).of(call.arguments(), maxBytes);
    }

    /** The digest of the arguments as they were sent. */
    @Nullable
    String digest(Call call) {
        return digest == null ? null : digest.of(call.arguments());
    }

    /** A text of the call as it goes on record. */
    String text(Call call, String text) {
        return redactor(call).record(text).value();
    }

    private Redactor redactor(Call call) {
        return redactor.of(call.caller().tenant());
    }
}
