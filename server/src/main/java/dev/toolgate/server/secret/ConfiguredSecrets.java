package dev.toolgate.server.secret;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.server.config.SecretPlace;
import java.util.Map;
import java.util.Optional;

/** What the setting {@code secrets.<tenant>.<NAME>} points at. */
final class ConfiguredSecrets implements Secrets {
    private final Map<String, Map<String, SecretPlace>> places;
    private final Map<String, String> environment;
    private final SecretFile files;

    ConfiguredSecrets(
            Map<String, Map<String, SecretPlace>> settings, Map<String, String> environment, SecretFile files) {
        this.environment = environment;
        this.files = files;
        this.places = settings;
    }

    @Override
    public Optional<String> find(TenantId tenant, String name) {
        SecretPlace place = places.getOrDefault(tenant.value(), Map.of()).get(name);
        if (place == null) {
            return Optional.empty();
        }
        return switch (place) {
            case SecretPlace.Variable variable ->
                Optional.ofNullable(environment.get(variable.name())).filter(value -> !value.isEmpty());
            case SecretPlace.InFile inFile -> Optional.of(files.read(inFile.file(), name));
        };
    }
}
