package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why an answer failed. */
public sealed interface ChatFailure {

    /** A code for programs. */
    String code();

    /** What happened, in one sentence. */
    String message();

    /** What to do about it, in one sentence. */
    String remediation();

    /** Whether the same message may succeed later. */
    boolean retryable();

    /** How long to wait before retrying, if known. */
    @Nullable
    Duration retryAfter();

    /** The model did not answer, or not completely. */
    record OfModel(ProviderFailure failure) implements ChatFailure {
        @Override
        public String code() {
            return failure.kind().wireName();
        }

        @Override
        public String message() {
            return failure.message();
        }

        @Override
        public String remediation() {
            return failure.kind().remediation();
        }

        @Override
        public boolean retryable() {
            return failure.kind().retryable();
        }

        @Override
        public @Nullable Duration retryAfter() {
            return failure.retryAfter();
        }
    }

    /** The session's policy does not allow it. */
    record OfPolicy(Failure failure) implements ChatFailure {
        static OfPolicy of(ErrorCode code, String message) {
            return new OfPolicy(Failure.of(code, message));
        }

        @Override
        public String code() {
            return failure.code().name();
        }

        @Override
        public String message() {
            return failure.message();
        }

        @Override
        public String remediation() {
            return failure.code().remediation();
        }

        @Override
        public boolean retryable() {
            return failure.code().retryable();
        }

        @Override
        public @Nullable Duration retryAfter() {
            return null;
        }
    }
}
