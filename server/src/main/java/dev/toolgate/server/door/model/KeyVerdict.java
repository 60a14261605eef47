package dev.toolgate.server.door.model;

import org.jspecify.annotations.Nullable;

/**
 * Whether a provider accepts a key.
 *
 * @param reason why the key was rejected
 */
record KeyVerdict(boolean valid, @Nullable String reason) {}
