package dev.toolgate.core.port;

import dev.toolgate.core.call.Outcome;

/**
 * Knows which request ids have been used, so that a repeated call is answered and not run again. Keys
 * are taken by {@link AuditLog}, together with what they stand for.
 */
@FunctionalInterface
public interface RequestKeys {

    /** What is known of a key. */
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
