package dev.toolgate.store.audit.record;

import java.util.UUID;

/** The last entry of a chain at some point in time. */
public record ChainHead(UUID instanceId, long sequence, String hash) {}
