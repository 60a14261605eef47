package dev.toolgate.store.audit.chain;

import java.util.UUID;

/** A fault in a chain, at or before the given record. */
public record ChainFault(Kind kind, UUID instanceId, long sequence) {

    /** The kind of fault. */
    public enum Kind {
        /** A record does not match its hash, or does not follow from the record before. */
        CHANGED,
        /** Records that were written are missing. */
        REMOVED,
        /** A record is duplicated or out of order. */
        REORDERED,
        /** A checkpoint of the chain is not signed by a key that is trusted. */
        UNTRUSTED
    }
}
