package dev.toolgate.server.secret;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.tool.Secrets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Secrets in the server's environment, for the first tenant only, whose admins run the installation: a variable with
 * the name, or the file in {@code <NAME>_FILE}.
 */
final class EnvironmentSecrets implements Secrets {
    private final Map<String, String> environment;
    private final SecretFile files;

    EnvironmentSecrets(Map<String, String> environment, SecretFile files) {
        this.environment = environment;
        this.files = files;
    }

    @Override
    public Optional<String> find(TenantId tenant, String name) {
        return tenant.equals(Principal.FIRST_TENANT) ? find(name) : Optional.empty();
    }

    private Optional<String> find(String name) {
        String value = environment.getOrDefault(name, "");
        if (!value.isEmpty()) {
            return Optional.of(value);
        }
        String file = environment.getOrDefault(name + "_FILE", "");
        return file.isEmpty() ? Optional.empty() : Optional.of(files.read(Path.of(file), name));
    }
}
