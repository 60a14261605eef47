package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.ChainEntry;
import dev.toolgate.store.audit.record.ChainHead;
import java.util.Iterator;
import java.util.List;

/**
 * Chains one after the other, each in the order of its sequence.
 *
 * @param ends where each of them begins and ends
 * @param claims the furthest that any anchor says about each chain
 */
public record Chains(Extent extent, List<ChainEnds> ends, List<ChainHead> claims, Iterator<ChainEntry> entries) {

    /** How much of the log it is. */
    public enum Extent {
        /** All of it, so whatever an anchor speaks of must be there. */
        WHOLE,
        /** A piece of some chains. */
        PART
    }
}
