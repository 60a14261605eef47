package dev.toolgate.server.secret;

import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.server.config.SecretLocation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Combines the sources of secrets. A new source, such as a secrets manager, is added here. */
public final class SecretSources {
    private SecretSources() {}

    /**
     * Secrets from the settings, or else from the environment.
     *
     * @param settings the locations of secrets by tenant and name
     * @param known is given every secret that is handed out, so that it is masked from then on
     */
    public static Secrets of(
            Map<String, Map<String, SecretLocation>> settings, Map<String, String> environment, KnownSecrets known) {
        SecretFile files = new SecretFile();
        Secrets configured = new ConfiguredSecrets(settings, environment, files);
        Secrets plain = new EnvironmentSecrets(environment, files);
        return (tenant, name) -> {
            Optional<String> found = configured.find(tenant, name).or(() -> plain.find(tenant, name));
            found.ifPresent(secret -> {
                known.learn(tenant, secret);
                known.learn(tenant, URLEncoder.encode(secret, StandardCharsets.UTF_8)); // its form in URLs
            });
            return found.filter(secret -> !secret.isEmpty());
        };
    }
}
