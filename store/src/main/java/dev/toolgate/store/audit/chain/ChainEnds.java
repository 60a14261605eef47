package dev.toolgate.store.audit.chain;

import dev.toolgate.store.checkpoint.MerkleTree;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Between which records the chain of an instance must be whole.
 *
 * @param prunedSequence the last record that retention has removed; older ones may still be there
 * @param prunedTree the Merkle tree over everything up to there, as the hexadecimal roots of its perfect subtrees;
 *     {@code null} if it is not known
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

    /** The tree over what was removed, to be grown; {@code null} if it is not known. */
    @Nullable
    MerkleTree tree() {
        if (prunedTree == null || Long.bitCount(prunedSequence) != prunedTree.size()) {
            return null;
        }
        return new MerkleTree(
                prunedSequence,
                prunedTree.stream().map(HexFormat.of()::parseHex).toList());
    }

    /** Whether the chain between its ends has a place with this number. */
    boolean reaches(long sequence) {
        return sequence > prunedSequence && sequence <= lastSequence;
    }
}
