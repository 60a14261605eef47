package dev.toolgate.store.audit.record;

import java.util.UUID;

/**
 * The position of an entry in the chain of the instance that wrote it.
 *
 * @param previousHash the hash of the previous entry, in hexadecimal
 * @param hash covers the entry, its position and the previous hash
 */
public record ChainLink(UUID instanceId, long sequence, String previousHash, String hash) {
    /** The previous hash of the first entry of a chain. */
    public static final String ORIGIN = "0".repeat(64);

    /** An id, a number and two hashes, with their lengths. */
    private static final int BUFFER_SIZE = 256;

    public static ChainLink after(UUID instanceId, long lastSequence, String lastHash, String factsDigest) {
        long sequence = lastSequence + 1;
        return new ChainLink(instanceId, sequence, lastHash, hash(instanceId, sequence, lastHash, factsDigest));
    }

    /** Whether the hash matches an entry with this digest at this position. */
    boolean covers(String digest) {
        return hash.equals(hash(instanceId, sequence, previousHash, digest));
    }

    private static String hash(UUID instanceId, long sequence, String previousHash, String factsDigest) {
        return new FieldDigest(BUFFER_SIZE)
                .add(instanceId.toString())
                .add(sequence)
                .add(previousHash)
                .add(factsDigest)
                .hex();
    }
}
