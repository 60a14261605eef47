package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.pipeline.Answer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the trace of a call. Nothing here needs OpenTelemetry, so that it costs nothing where it is not used. */
@FunctionalInterface
public interface CallTracing {
    /** Makes none. */
    CallTracing NONE = (call, traceparent, work) -> work.get();

    /**
     * Does the work of a call, and traces it.
     *
     * @param traceparent the W3C header that came with the call; null or malformed starts a trace of its own
     */
    Answer trace(Call call, @Nullable String traceparent, Supplier<Answer> work);
}
