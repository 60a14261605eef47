package dev.toolgate.server.secret;

import dev.toolgate.server.config.SecretPlace;
import dev.toolgate.server.config.ServerSettings;
import java.util.Set;
import java.util.TreeSet;

/** The environment variables in which the server finds secrets of tools, by what the settings say. */
public final class SecretVariables {
    private SecretVariables() {}

    /** Every variable that a secret is or may be looked up in; each also with {@code _FILE} after it. */
    public static Set<String> of(ServerSettings settings) {
        Set<String> names = new TreeSet<>();
        settings.secrets()
                .values()
                .forEach(ofTenant -> ofTenant.forEach((name, place) -> {
                    names.add(name); // the first tenant's secrets are looked up by name, too
                    if (place instanceof SecretPlace.Variable variable) {
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
        return Set.copyOf(names);
    }
}
