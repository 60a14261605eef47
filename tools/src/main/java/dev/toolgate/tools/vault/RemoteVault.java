package dev.toolgate.tools.vault;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The vault that {@code vault_read} reads from: HashiCorp Vault or OpenBao. */
public record RemoteVault(
        @Setting("Where it is, for example https://vault.example.com:8200.")
        URI address,

        @Setting(value = "The name of the secret that is the token.", initial = "VAULT_TOKEN", shortest = 1)
        String token,

        @Setting("The namespace, where the vault has namespaces.") @Nullable
        String namespace,

        @Setting(value = "The mount of the KV version 2 engine.", initial = "secret", shortest = 1)
        String mount,

        @Setting(value = "How long to wait for an answer.", initial = "10s", least = "1s", most = "5m")
        Duration timeout) {}
