package dev.toolgate.server.door.model;

import org.jspecify.annotations.Nullable;

/**
 * Whether a provider takes a key.
 *
 * @param reason why it does not
 */
record KeyVerdict(boolean valid, @Nullable String reason) {}
