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
 * Compares chains with signed checkpoints as they pass. A checkpoint says how many records a chain had and what the
 * Merkle tree over them was; no later state of the database can take that back.
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

    /** How many checkpoints there are to compare with. */
    long number() {
        return known.number();
    }

    /** Takes the next link of a chain; false if a checkpoint that ends there says otherwise. */
    boolean isPassed(ChainLink link) {
        NavigableMap<Long, String> roots = known.of(link.instanceId());
        if (roots.isEmpty() || link.sequence() > roots.lastKey()) {
            return true; // nothing is said of it
        }
        MerkleTree tree = trees.computeIfAbsent(link.instanceId(), this::begun);
        if (tree == null || tree.size() + 1 != link.sequence()) {
            return true; // something is missing, which is a fault already, or nobody knows what came before
        }
        tree.add(HexFormat.of().parseHex(link.hash()));
        String root = roots.get(tree.size());
        return root == null || root.equals(root(tree));
    }

    private @Nullable MerkleTree begun(UUID chain) {
        ChainEnds end = ends.get(chain);
        return end == null ? new MerkleTree() : end.tree();
    }

    /** What checkpoints speak of and is not there, what was removed without a word, and what nobody trusted signed. */
    List<ChainFault> unmet() {
        List<ChainFault> faults = new ArrayList<>();
        for (UUID chain : known.chains()) {
            ChainEnds end = ends.get(chain);
            long furthest = known.of(chain).lastKey();
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

    // A chain is known no more once retention has said, with a signature, that all that was signed of it is going.
    private boolean isRemovalOfAllKnown(UUID chain, long furthest) {
        String root = known.prunedRoot(chain, furthest);
        return root != null && root.equals(known.of(chain).get(furthest));
    }

    // Retention says before it removes anything what it removes; the mark alone could be moved by anybody.
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
