package dev.toolgate.tools.vault;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connection settings of a vault.
 *
 * @param tokenName the name of the secret that holds the token
 * @param mount the default mount of the KV version 2 engine
 */
public record VaultServer(
        URI address, String tokenName, @Nullable String namespace, String mount, Duration timeout) {}
