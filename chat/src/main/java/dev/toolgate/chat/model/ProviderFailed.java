package dev.toolgate.chat.model;

import org.jspecify.annotations.Nullable;

/** A provider request failed. It is an expected outcome, not a bug, so it has no stack trace. */
public final class ProviderFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ProviderFailure failure;

    public ProviderFailed(ProviderFailure failure, @Nullable Throwable cause) {
        super(failure.message(), cause, false, false);
        this.failure = failure;
    }

    public ProviderFailed(ProviderFailure.Kind kind, String message) {
        this(ProviderFailure.of(kind, message), null);
    }

    /** The failure as a value. */
    public ProviderFailure failure() {
        return failure;
    }
}
