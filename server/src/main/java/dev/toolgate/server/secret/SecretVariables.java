package dev.toolgate.server.secret;

import dev.toolgate.server.config.SecretLocation;
import dev.toolgate.server.config.ServerSettings;
import java.util.Set;
import java.util.TreeSet;

/** The environment variables that may contain secrets, according to the settings. */
public final class SecretVariables {
    private SecretVariables() {}

    /** Every variable a secret may be looked up in; each also with the suffix {@code _FILE}. */
    public static Set<String> of(ServerSettings settings) {
        Set<String> names = new TreeSet<>();
        settings.secrets()
                .values()
                .forEach(ofTenant -> ofTenant.forEach((name, place) -> {
                    names.add(name); // the first tenant's secrets are also looked up by name
                    if (place instanceof SecretLocation.Variable variable) {
                        names.add(variable.name());
                    }
                }));
        settings.databases().values().forEach(ofTenant -> ofTenant.values().forEach(database -> {
            if (database.password() != null) {
                names.add(database.password());
            }
        }));
        settings.vaults().values().forEach(vault -> names.add(vault.token()));
        settings.builds().values().forEach(ofTenant -> ofTenant.values().forEach(build -> {
            if (build.token() != null) {
                names.add(build.token());
            }
        }));
        settings.mcpServers().values().forEach(ofTenant -> ofTenant.values()
                .forEach(server -> names.addAll(server.secretNames())));
        return Set.copyOf(names);
    }
}
