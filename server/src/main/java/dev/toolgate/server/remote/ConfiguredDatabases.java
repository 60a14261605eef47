package dev.toolgate.server.remote;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.tools.database.DatabaseTarget;
import dev.toolgate.tools.database.DatabaseTarget.Accounts;
import dev.toolgate.tools.database.DatabaseTargets;
import dev.toolgate.tools.database.RemoteDatabase;
import dev.toolgate.tools.database.TargetUrl;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Databases from {@code databases.<tenant>.<name>}, and for the first tenant also from the environment: the connection
 * {@code prod-readonly} from {@code TOOLGATE_DB_PROD_READONLY_URL}, {@code _USER} and {@code _PASSWORD}.
 */
public final class ConfiguredDatabases implements DatabaseTargets {
    private static final int DEFAULT_MAX_ROWS = 1000;
    private static final long DEFAULT_MAX_BYTES = 10L * 1024 * 1024;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final int DEFAULT_CONNECTIONS = 4;

    private final Map<String, Map<String, DatabaseTarget>> targets = new HashMap<>();
    private final Map<String, String> environment;

    /**
     * @throws IllegalArgumentException if a setting is invalid
     */
    public ConfiguredDatabases(Map<String, Map<String, RemoteDatabase>> settings, Map<String, String> environment) {
        this.environment = environment;
        settings.forEach((tenant, named) -> {
            Map<String, DatabaseTarget> own = new HashMap<>();
            named.forEach((name, database) -> own.put(name, target(tenant + "." + name, database)));
            targets.put(tenant, own);
        });
        environment.forEach((variable, value) -> {
            if (variable.matches("TOOLGATE_DB_.+_URL") && !value.isBlank()) {
                url(variable, value);
            }
        });
    }

    @Override
    public Optional<DatabaseTarget> find(TenantId tenant, String name) {
        DatabaseTarget configured =
                targets.getOrDefault(tenant.value(), Map.of()).get(name);
        if (configured != null) {
            return Optional.of(configured);
        }
        return tenant.equals(Principal.FIRST_TENANT) ? fromEnvironment(name) : Optional.empty();
    }

    private Optional<DatabaseTarget> fromEnvironment(String name) {
        String prefix = "TOOLGATE_DB_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        String url = environment.getOrDefault(prefix + "_URL", "");
        if (url.isBlank()) {
            return Optional.empty();
        }
        boolean secured =
                environment.containsKey(prefix + "_PASSWORD") || environment.containsKey(prefix + "_PASSWORD_FILE");
        return Optional.of(new DatabaseTarget(
                url(prefix + "_URL", url),
                environment.get(prefix + "_USER"),
                secured ? prefix + "_PASSWORD" : null,
                DEFAULT_MAX_ROWS,
                DEFAULT_MAX_BYTES,
                DEFAULT_TIMEOUT,
                DEFAULT_CONNECTIONS,
                Accounts.HARMLESS));
    }

    private static DatabaseTarget target(String path, RemoteDatabase database) {
        @Nullable String user = database.user();
        return new DatabaseTarget(
                url("databases." + path + ".url", database.url()),
                user,
                database.password(),
                database.maxRows(),
                database.maxBytes().bytes(),
                database.timeout(),
                database.connections(),
                database.allowPowerfulAccount() ? Accounts.ANY : Accounts.HARMLESS);
    }

    private static TargetUrl url(String setting, String text) {
        try {
            return TargetUrl.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(setting + ": " + wrong.getMessage(), wrong);
        }
    }
}
