package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.ChainEntry;
import dev.toolgate.store.audit.record.ChainHead;
import java.util.Iterator;
import java.util.List;

/**
 * Chains one after the other, each in the order of its sequence.
 *
 * @param ends the range of each chain
 * @param claims the furthest claim of any anchor about each chain
 */
public record Chains(Extent extent, List<ChainEnds> ends, List<ChainHead> claims, Iterator<ChainEntry> entries) {

    /** How much of the log is included. */
    public enum Extent {
        /** All of it, so everything that an anchor refers to must be present. */
        WHOLE,
        /** A part of some chains. */
        PART
    }
}
