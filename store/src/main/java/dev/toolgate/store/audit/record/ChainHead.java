package dev.toolgate.store.audit.record;

import java.util.UUID;

/** How far a chain had come when somebody looked. */
public record ChainHead(UUID instanceId, long sequence, String hash) {}
