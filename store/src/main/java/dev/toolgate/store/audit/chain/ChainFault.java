package dev.toolgate.store.audit.chain;

import java.util.UUID;

/** Something that is wrong with a chain, at or before the named record. */
public record ChainFault(Kind kind, UUID instanceId, long sequence) {

    /** What was done to the chain. */
    public enum Kind {
        /** A record does not match its hash, or does not follow from the record before. */
        CHANGED,
        /** Records that were written are not there. */
        REMOVED,
        /** A record comes twice or out of order. */
        REORDERED,
        /** A checkpoint of the chain is not signed by a key that is trusted. */
        UNTRUSTED
    }
}
