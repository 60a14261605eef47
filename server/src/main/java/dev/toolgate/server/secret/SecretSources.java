package dev.toolgate.server.secret;

import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.server.config.SecretPlace;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Puts the sources of secrets together. Another one, a secrets manager for example, has its place here. */
public final class SecretSources {
    private SecretSources() {}

    /**
     * What the settings point at, and after it the environment.
     *
     * @param settings by tenant and name, where each secret is
     * @param known learns everything that is handed out, so that it is hidden from then on
     */
    public static Secrets of(
            Map<String, Map<String, SecretPlace>> settings, Map<String, String> environment, KnownSecrets known) {
        SecretFile files = new SecretFile();
        Secrets configured = new ConfiguredSecrets(settings, environment, files);
        Secrets plain = new EnvironmentSecrets(environment, files);
        return (tenant, name) -> {
            Optional<String> found = configured.find(tenant, name).or(() -> plain.find(tenant, name));
            found.ifPresent(secret -> {
                known.learn(tenant, secret);
                known.learn(tenant, URLEncoder.encode(secret, StandardCharsets.UTF_8)); // as it stands in addresses
            });
            return found.filter(secret -> !secret.isEmpty());
        };
    }
}
