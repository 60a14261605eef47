package dev.toolgate.core.call;

import java.time.Instant;

/**
 * Ensures that of several calls under one request id only one runs, across all instances. A key is first claimed while
 * its call is in progress; the audit log and the approvals take it permanently, together with the intent, the record or
 * the approval request.
 */
public interface RequestKeys {

    /**
     * Claims the key for a new call. Only {@link Earlier.Nothing} means the claim was granted; {@link #release} it once
     * the key is taken permanently or the call is over.
     */
    Earlier claim(RequestKey key);

    /** Releases a claim. */
    void release(RequestKey key);

    /** Looks up a permanently taken key without claiming it. */
    Earlier find(RequestKey key);

    /** An earlier call under the same request id. */
    sealed interface Earlier {
        /** There was none. */
        record Nothing() implements Earlier {}

        /** The same call has ended with this outcome. */
        record SameCall(Outcome outcome) implements Earlier {}

        /** The same call has ended; its outcome is confidential or no longer stored. */
        record Forgotten() implements Earlier {}

        /** The same call is still running. */
        record StillRunning() implements Earlier {}

        /** The same call waits for approval. */
        record Held() implements Earlier {}

        /** The same call was permitted, and its caller may report the outcome until then. */
        record Permitted(Instant until) implements Earlier {}

        /** A different call. */
        record OtherCall() implements Earlier {}
    }

    /** Another call took the key first. */
    final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Taken() {
            super("The request id belongs to another call.", null, false, false);
        }
    }
}
