package dev.toolgate.server.remote;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.tools.vault.RemoteVault;
import dev.toolgate.tools.vault.VaultServer;
import dev.toolgate.tools.vault.VaultServers;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Vaults from {@code vaults.<tenant>}, and for the first tenant also from the standard variables {@code VAULT_ADDR} and
 * {@code VAULT_NAMESPACE}.
 */
public final class ConfiguredVaults implements VaultServers {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private final Map<String, RemoteVault> settings;
    private final Map<String, String> environment;

    public ConfiguredVaults(Map<String, RemoteVault> settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = environment;
    }

    @Override
    public Optional<VaultServer> of(TenantId tenant) {
        RemoteVault vault = settings.get(tenant.value());
        if (vault != null) {
            return Optional.of(
                    new VaultServer(vault.address(), vault.token(), vault.namespace(), vault.mount(), vault.timeout()));
        }
        String address = environment.getOrDefault("VAULT_ADDR", "");
        return !tenant.equals(Principal.FIRST_TENANT) || !address.matches("https?://\\S+")
                ? Optional.empty()
                : Optional.of(new VaultServer(
                        URI.create(address),
                        "VAULT_TOKEN",
                        environment.get("VAULT_NAMESPACE"),
                        "secret",
                        DEFAULT_TIMEOUT));
    }
}
