package dev.toolgate.store.audit;

import java.util.UUID;

/**
 * Between which records the chain of an instance must be whole.
 *
 * @param prunedSequence the last record that retention has removed; older ones may still be there
 * @param lastSequence the last record that was written
 */
public record ChainEnds(UUID instanceId, long prunedSequence, String prunedHash, long lastSequence, String lastHash) {

    /** Whether the chain between its ends has a place with this number. */
    boolean reaches(long sequence) {
        return sequence > prunedSequence && sequence <= lastSequence;
    }
}
