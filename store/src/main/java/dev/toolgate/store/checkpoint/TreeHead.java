package dev.toolgate.store.checkpoint;

import java.util.UUID;

/**
 * The Merkle tree over the first records of a chain.
 *
 * @param size how many records
 * @param root the hash over all of them, in standard Base64
 */
public record TreeHead(UUID chain, long size, String root) {}
