package dev.toolgate.tools.vault;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of the vault for {@code vault_read}: HashiCorp Vault or OpenBao. */
public record RemoteVault(
        @Setting("Its URL, for example https://vault.example.com:8200.")
        URI address,

        @Setting(value = "The name of the secret that holds the token.", defaultValue = "VAULT_TOKEN", minLength = 1)
        String token,

        @Setting("The namespace, if the vault has namespaces.") @Nullable
        String namespace,

        @Setting(value = "The mount of the KV version 2 engine.", defaultValue = "secret", minLength = 1)
        String mount,

        @Setting(value = "The time limit of one request.", defaultValue = "10s", min = "1s", max = "5m")
        Duration timeout) {}
