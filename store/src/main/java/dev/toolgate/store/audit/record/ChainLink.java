package dev.toolgate.store.audit.record;

import java.util.UUID;

/**
 * The place of a record in the chain of the instance that wrote it.
 *
 * @param previousHash the hash of the record before, in hexadecimal
 * @param hash covers the record, its place and the record before
 */
public record ChainLink(UUID instanceId, long sequence, String previousHash, String hash) {
    /** What comes before the first record of a chain. */
    public static final String ORIGIN = "0".repeat(64);

    public static ChainLink after(UUID instanceId, long lastSequence, String lastHash, String factsDigest) {
        long sequence = lastSequence + 1;
        return new ChainLink(instanceId, sequence, lastHash, hash(instanceId, sequence, lastHash, factsDigest));
    }

    /** Whether the hash is that of an entry with this digest at this place. */
    boolean covers(String digest) {
        return hash.equals(hash(instanceId, sequence, previousHash, digest));
    }

    private static String hash(UUID instanceId, long sequence, String previousHash, String factsDigest) {
        return new FieldDigest()
                .add(instanceId.toString())
                .add(sequence)
                .add(previousHash)
                .add(factsDigest)
                .hex();
    }
}
