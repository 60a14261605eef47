package dev.toolgate.server.secret;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.server.config.SecretLocation;
import java.util.Map;
import java.util.Optional;

/** Secrets at the locations in the setting {@code secrets.<tenant>.<NAME>}. */
final class ConfiguredSecrets implements Secrets {
    private final Map<String, Map<String, SecretLocation>> places;
    private final Map<String, String> environment;
    private final SecretFile files;

    ConfiguredSecrets(
            Map<String, Map<String, SecretLocation>> settings, Map<String, String> environment, SecretFile files) {
        this.environment = environment;
        this.files = files;
        this.places = settings;
    }

    @Override
    public Optional<String> find(TenantId tenant, String name) {
        SecretLocation location = places.getOrDefault(tenant.value(), Map.of()).get(name);
        if (location == null) {
            return Optional.empty();
        }
        return switch (location) {
            case SecretLocation.Variable variable ->
                Optional.ofNullable(environment.get(variable.name())).filter(value -> !value.isEmpty());
            case SecretLocation.InFile inFile -> Optional.of(files.read(inFile.file(), name));
        };
    }
}
