package dev.toolgate.core.call;

/**
 * Request ids and the calls they belong to, so that of several calls under one id only one runs, on however many
 * gates. A key is first claimed, for as long as its call is on its way; the audit log and the approvals take it
 * for good, together with the intent, the record or the question of the call.
 */
public interface RequestKeys {

    /**
     * Claims the key for a call that is about to be made. Only {@link Earlier.Nothing} means that the caller has the
     * claim, and must {@link #release} it once the key is taken for good or the call is over.
     */
    Earlier claim(RequestKey key);

    /** Gives a claim up. */
    void release(RequestKey key);

    /** What is known of a key that was taken for good; claims nothing. */
    Earlier find(RequestKey key);

    /** An earlier call under the same request id. */
    sealed interface Earlier {
        /** There was none. */
        record Nothing() implements Earlier {}

        /** The same call, and how it ended. */
        record SameCall(Outcome outcome) implements Earlier {}

        /** The same call, whose outcome is not kept: it ended long ago, or its result is confidential. */
        record Forgotten() implements Earlier {}

        /** The same call, which has not ended. */
        record StillRunning() implements Earlier {}

        /** The same call, which a person is asked about. */
        record Held() implements Earlier {}

        /** A different call. */
        record OtherCall() implements Earlier {}
    }

    /** Somebody else took the key first. */
    final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Taken() {
            super("The request id belongs to another call.", null, false, false);
        }
    }
}
