package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.checkpoint.MerkleTree;
import dev.toolgate.store.checkpoint.TreeHead;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * What a writer remembers of its own chain: its head, and the Merkle tree over all of it. If the database disagrees,
 * this is right and the database was modified.
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

    /** Whether nothing was ever sent. */
    public synchronized boolean isEmpty() {
        return lastSequence == 0 && pending.isEmpty();
    }

    /** Announces links that are about to be sent. */
    public synchronized void expect(List<ChainLink> links) {
        pending = List.copyOf(links);
    }

    /** The announced links are durable: moves the head to the last one. */
    public synchronized void advance() {
        for (ChainLink link : pending) {
            tree.add(HexFormat.of().parseHex(link.hash()));
            lastSequence = link.sequence();
            lastHash = link.hash();
        }
        pending = List.of();
    }

    /**
     * Whether the head in the database is the expected one: the last durable link, or the last announced one if its
     * commit was not confirmed. In the second case the announced links become durable.
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

    /** The tree head over all durable links. */
    public synchronized TreeHead head() {
        return new TreeHead(id, tree.size(), Base64.getEncoder().encodeToString(tree.root()));
    }
}
