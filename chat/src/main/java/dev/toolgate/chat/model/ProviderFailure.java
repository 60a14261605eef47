package dev.toolgate.chat.model;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a model did not answer, or not completely, in words a user can act on.
 *
 * @param retryAfter the wait requested by the provider, if any
 */
public record ProviderFailure(
        Kind kind, String message, @Nullable Duration retryAfter) {

    public static ProviderFailure of(Kind kind, String message) {
        return new ProviderFailure(kind, message, null);
    }

    /** The kinds of failure of a model request. */
    public enum Kind {
        UNAUTHORISED(Retry.NO, "Send a valid API key for this provider."),
        RATE_LIMITED(Retry.LATER, "Wait before sending the next message."),
        OVERLOADED(Retry.LATER, "Wait a moment and send the message again, or choose another model."),
        UNAVAILABLE(Retry.LATER, "Check that the provider can be reached, then send the message again."),
        REJECTED(Retry.NO, "Correct the request: the model's name, the history or the size."),
        TRUNCATED(Retry.LATER, "Send the message again; the answer is incomplete."),
        MALFORMED(Retry.LATER, "Send the message again; if it stays, check the provider's address."),
        TOO_LARGE(Retry.NO, "Ask for less in one answer."),
        IDLE_TIMEOUT(Retry.LATER, "Send the message again, or allow more time between pieces of an answer."),
        CANCELLED(Retry.NO, "Send the message again if you still want an answer.");

        private enum Retry {
            NO,
            LATER
        }

        private final Retry retry;
        private final String remediation;

        Kind(Retry retry, String remediation) {
            this.retry = retry;
            this.remediation = remediation;
        }

        /** Whether the same request may succeed later. */
        public boolean retryable() {
            return retry == Retry.LATER;
        }

        /** What to do about it, in one sentence. */
        public String remediation() {
            return remediation;
        }

        /** The name on the wire. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
