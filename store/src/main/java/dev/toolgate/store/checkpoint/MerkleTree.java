package dev.toolgate.store.checkpoint;

import dev.toolgate.core.digest.Sha256;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * An append-only RFC 6962 Merkle tree, stored as the roots of its perfect subtrees, largest first: one
 * hash for each bit set in its size. Adding a leaf costs two hashes on average. Not thread-safe.
 */
public final class MerkleTree {
    private static final byte LEAF = 0;
    private static final byte NODE = 1;

    private final List<byte[]> subtrees;
    private long size;

    /** An empty tree. */
    public MerkleTree() {
        this(0, List.of());
    }

    /**
     * Restores a tree.
     *
     * @param subtrees as returned by {@link #subtrees}
     * @throws IllegalArgumentException if a tree of this size has a different number of subtrees
     */
    public MerkleTree(long size, List<byte[]> subtrees) {
        if (size < 0 || Long.bitCount(size) != subtrees.size()) {
            throw new IllegalArgumentException("A tree of " + size + " leaves has " + Long.bitCount(size)
                    + " perfect subtrees, not " + subtrees.size() + ".");
        }
        this.size = size;
        this.subtrees = new ArrayList<>(subtrees);
    }

    /** Adds a leaf with these bytes. */
    public void add(byte[] leaf) {
        byte[] subtree = hash(LEAF, leaf, new byte[0]);
        // As in binary addition: every full subtree on the left is merged with the new one.
        for (long carry = size; (carry & 1) == 1; carry >>>= 1) {
            subtree = hash(NODE, subtrees.removeLast(), subtree);
        }
        subtrees.add(subtree);
        size++;
    }

    /** The number of leaves. */
    public long size() {
        return size;
    }

    /** The roots of its perfect subtrees, largest first. */
    public List<byte[]> subtrees() {
        return List.copyOf(subtrees);
    }

    /** The hash over the whole tree. */
    public byte[] root() {
        if (subtrees.isEmpty()) {
            return Sha256.of(new byte[0]);
        }
        byte[] root = subtrees.getLast();
        for (int i = subtrees.size() - 2; i >= 0; i--) {
            root = hash(NODE, subtrees.get(i), root);
        }
        return root;
    }

    private static byte[] hash(byte kind, byte[] first, byte[] second) {
        MessageDigest digest = Sha256.fresh();
        byte[] all = new byte[1 + first.length + second.length];
        all[0] = kind;
        System.arraycopy(first, 0, all, 1, first.length);
        System.arraycopy(second, 0, all, 1 + first.length, second.length);
        return digest.digest(all);
    }
}
