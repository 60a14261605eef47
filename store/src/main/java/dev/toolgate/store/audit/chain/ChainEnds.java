package dev.toolgate.store.audit.chain;

import dev.toolgate.store.checkpoint.MerkleTree;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The range of records in which the chain of an instance must be complete.
 *
 * @param prunedSequence the last record that retention has removed; some older ones may still be present
 * @param prunedTree the Merkle tree over everything up to there, as the hexadecimal roots of its perfect subtrees;
 *     {@code null} if unknown
 * @param lastSequence the last record that was written
 */
public record ChainEnds(
        UUID instanceId,
        long prunedSequence,
        String prunedHash,
        @Nullable List<String> prunedTree,
        long lastSequence,
        String lastHash) {
    public ChainEnds {
        prunedTree = prunedTree == null ? null : List.copyOf(prunedTree);
    }

    /** The tree over the removed records, to be extended; {@code null} if unknown. */
    @Nullable
    MerkleTree tree() {
        if (prunedTree == null || Long.bitCount(prunedSequence) != prunedTree.size()) {
            return null;
        }
        return new MerkleTree(
                prunedSequence,
                prunedTree.stream().map(HexFormat.of()::parseHex).toList());
    }

    /** Whether this sequence is within the range. */
    boolean reaches(long sequence) {
        return sequence > prunedSequence && sequence <= lastSequence;
    }
}
