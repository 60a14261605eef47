package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.pipeline.Answer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Traces calls. Independent of OpenTelemetry, so that its classes are loaded only if tracing is on. */
@FunctionalInterface
public interface CallTracing {
    /** No tracing. */
    CallTracing NONE = (call, traceparent, work) -> work.get();

    /**
     * Runs the work of a call in a span.
     *
     * @param traceparent the W3C header of the request; null or malformed starts a new trace
     */
    Answer trace(Call call, @Nullable String traceparent, Supplier<Answer> work);
}
