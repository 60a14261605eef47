package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.checkpoint.MerkleTree;
import dev.toolgate.store.checkpoint.TreeHead;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * What a writer remembers of its own chain: where it ends, and the Merkle tree over all of it. The database is asked
 * whether it agrees, and never believed against this.
 */
public final class OwnChain {
    private final UUID id;
    private final MerkleTree tree = new MerkleTree();
    private long lastSequence;
    private String lastHash = ChainLink.ORIGIN;
    private List<ChainLink> pending = List.of();

    public OwnChain(UUID id) {
        this.id = id;
    }

    public UUID id() {
        return id;
    }

    public synchronized long lastSequence() {
        return lastSequence;
    }

    public synchronized String lastHash() {
        return lastHash;
    }

    /** Whether nothing was ever sent, so that nothing is lost with it. */
    public synchronized boolean isEmpty() {
        return lastSequence == 0 && pending.isEmpty();
    }

    /** These are about to be sent, and will follow if that succeeds. */
    public synchronized void expect(List<ChainLink> links) {
        pending = List.copyOf(links);
    }

    /** What was sent is durable, so the next link follows it. */
    public synchronized void advance() {
        for (ChainLink link : pending) {
            tree.add(HexFormat.of().parseHex(link.hash()));
            lastSequence = link.sequence();
            lastHash = link.hash();
        }
        pending = List.of();
    }

    /**
     * Whether the database has the chain end where it must: at its last link, or at what was sent last if nobody knows
     * whether that arrived. In that case it counts as durable from now on.
     */
    public synchronized boolean agrees(long sequence, String hash) {
        if (sequence == lastSequence && hash.equals(lastHash)) {
            return true;
        }
        ChainLink sent = pending.isEmpty() ? null : pending.getLast();
        if (sent != null && sequence == sent.sequence() && hash.equals(sent.hash())) {
            advance();
            return true;
        }
        return false;
    }

    /** The tree over all that is durable. */
    public synchronized TreeHead head() {
        return new TreeHead(id, tree.size(), Base64.getEncoder().encodeToString(tree.root()));
    }
}
