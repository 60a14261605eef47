package dev.toolgate.tools.vault;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A vault and how to use it.
 *
 * @param tokenName the name of the secret that is the token
 * @param mount of the KV version 2 engine, where a caller names no other
 */
public record VaultServer(
        URI address, String tokenName, @Nullable String namespace, String mount, Duration timeout) {}
