package dev.toolgate.core.call;

import java.util.Optional;
import java.util.function.Supplier;

/** The trace span of the call that runs on the current thread, for tools that call other services. */
public final class CurrentTrace {
    private static final ScopedValue<String> TRACEPARENT = ScopedValue.newInstance();

    private CurrentTrace() {}

    /** Runs work within a span. */
    public static <T> T within(String traceparent, Supplier<T> work) {
        return ScopedValue.where(TRACEPARENT, traceparent).call(work::get);
    }

    /** The span as a W3C {@code traceparent}; empty if calls are not traced. */
    public static Optional<String> traceparent() {
        return TRACEPARENT.isBound() ? Optional.of(TRACEPARENT.get()) : Optional.empty();
    }
}
