package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.MerkleTree;
import dev.toolgate.store.checkpoint.TreeHead;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Compares chains with signed checkpoints while they are read. A checkpoint states the number of records of a chain and
 * the Merkle root over them, which any later state of the database must match.
 */
final class CheckpointComparison {
    private final Chains.Extent extent;
    private final Map<UUID, ChainEnds> ends;
    private final KnownCheckpoints known;
    private final Map<UUID, @Nullable MerkleTree> trees = new HashMap<>();

    CheckpointComparison(Chains.Extent extent, Map<UUID, ChainEnds> ends, KnownCheckpoints known) {
        this.extent = extent;
        this.ends = ends;
        this.known = known;
    }

    /** The number of checkpoints to compare with. */
    long count() {
        return known.count();
    }

    /** Adds the next link of a chain; false if a checkpoint of this size has another root. */
    boolean matches(ChainLink link) {
        NavigableMap<Long, String> roots = known.roots(link.instanceId());
        if (roots.isEmpty() || link.sequence() > roots.lastKey()) {
            return true; // not covered by any checkpoint
        }
        MerkleTree tree = trees.computeIfAbsent(link.instanceId(), this::initialTree);
        if (tree == null || tree.size() + 1 != link.sequence()) {
            return true; // records are missing, which is reported elsewhere, or the tree before is unknown
        }
        tree.add(HexFormat.of().parseHex(link.hash()));
        String root = roots.get(tree.size());
        return root == null || root.equals(root(tree));
    }

    private @Nullable MerkleTree initialTree(UUID chain) {
        ChainEnds end = ends.get(chain);
        return end == null ? new MerkleTree() : end.tree();
    }

    /**
     * Records covered by checkpoints that are missing, unsigned removals, and checkpoints without a trusted signature.
     */
    List<ChainFault> unmet() {
        List<ChainFault> faults = new ArrayList<>();
        for (UUID chain : known.chains()) {
            ChainEnds end = ends.get(chain);
            long furthest = known.roots(chain).lastKey();
            if (end == null) {
                if (extent == Chains.Extent.WHOLE && !isRemovalOfAllKnown(chain, furthest)) {
                    faults.add(new ChainFault(ChainFault.Kind.REMOVED, chain, furthest));
                }
                continue;
            }
            if (extent == Chains.Extent.WHOLE && furthest > end.lastSequence()) {
                faults.add(new ChainFault(ChainFault.Kind.REMOVED, chain, furthest));
            }
            if (extent == Chains.Extent.WHOLE && !isRemovalKnown(end)) {
                faults.add(new ChainFault(ChainFault.Kind.REMOVED, chain, end.prunedSequence()));
            }
        }
        known.untrusted().forEach(checkpoint -> faults.add(fault(ChainFault.Kind.UNTRUSTED, checkpoint.head())));
        known.contradictions().forEach(head -> faults.add(fault(ChainFault.Kind.CHANGED, head)));
        return faults;
    }

    // A chain may be missing if retention has signed the removal of everything that was ever signed of it.
    private boolean isRemovalOfAllKnown(UUID chain, long furthest) {
        String root = known.prunedRoot(chain, furthest);
        return root != null && root.equals(known.roots(chain).get(furthest));
    }

    // Retention signs every removal beforehand; the pruned mark alone could have been changed by an attacker.
    private boolean isRemovalKnown(ChainEnds end) {
        if (end.prunedSequence() == 0) {
            return true;
        }
        MerkleTree tree = end.tree();
        return tree != null && root(tree).equals(known.prunedRoot(end.instanceId(), end.prunedSequence()));
    }

    private static String root(MerkleTree tree) {
        return Base64.getEncoder().encodeToString(tree.root());
    }

    private static ChainFault fault(ChainFault.Kind kind, TreeHead head) {
        return new ChainFault(kind, head.chain(), head.size());
    }
}
