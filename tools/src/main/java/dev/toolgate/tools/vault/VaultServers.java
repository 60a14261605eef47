package dev.toolgate.tools.vault;

import dev.toolgate.core.call.TenantId;
import java.util.Optional;

/** The configured vault of each tenant. */
@FunctionalInterface
public interface VaultServers {
    Optional<VaultServer> of(TenantId tenant);
}
