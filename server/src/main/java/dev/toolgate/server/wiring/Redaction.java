package dev.toolgate.server.wiring;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.PersonalData;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.server.config.DatabaseSettings;
import dev.toolgate.server.config.RedactionSettings;
import dev.toolgate.server.config.Secret;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.store.connection.DatabaseUrl;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the redactors: secrets are found by patterns, the server's own also by value. */
final class Redaction {
    private Redaction() {}

    /** The redactor for records, approval requests and results. */
    static Redactor of(ServerSettings settings, KnownSecrets handedOut) {
        Redactor byPattern = settings.redaction().enabled() ? byPattern(settings) : Redactor.knownSecretsOnly();
        Set<String> own = ownSecrets(settings);
        own.removeIf(secret -> secret.length() < KnownSecrets.UNGUESSABLE_LENGTH);
        return byPattern.withSecrets(own).withKnownSecrets(handedOut).alsoHiding(personalData(settings.redaction()));
    }

    private static Function<TenantId, Set<PersonalData>> personalData(RedactionSettings settings) {
        Map<String, Set<PersonalData>> byTenant = new HashMap<>();
        settings.personalData().forEach((tenant, kinds) -> byTenant.put(tenant, Set.copyOf(kinds)));
        return tenant -> byTenant.getOrDefault(tenant.value(), Set.of());
    }

    /** The redactor for logs, which is always on. */
    static Redactor ofLogs(ServerSettings settings, KnownSecrets handedOut) {
        return byPattern(settings).withSecrets(ownSecrets(settings)).withKnownSecrets(handedOut);
    }

    private static Redactor byPattern(ServerSettings settings) {
        return Redactor.standard()
                .alsoHiding(settings.redaction().keys(), settings.redaction().patterns());
    }

    /** Every secret among the settings, so that no new one can be forgotten here. */
    static Set<String> ownSecrets(ServerSettings settings) {
        Set<String> own = new HashSet<>();
        collect(settings, own);
        own.removeIf(String::isBlank);
        return own;
    }

    private static void collect(@Nullable Object setting, Set<String> secrets) {
        switch (setting) {
            case Secret secret -> secrets.add(secret.value());
            // Only the passwords: words of the shape of a secret are masked too, and paths look like parts of a URL.
            case DatabaseSettings database ->
                Stream.of(database.url(), database.ownerUrl(), database.retentionUrl())
                        .filter(Objects::nonNull)
                        .forEach(url ->
                                secrets.add(DatabaseUrl.parse(url.value()).password()));
            case Record section -> {
                for (RecordComponent component : section.getClass().getRecordComponents()) {
                    collect(value(section, component), secrets);
                }
            }
            case Collection<?> items -> items.forEach(item -> collect(item, secrets));
            case Map<?, ?> entries -> entries.values().forEach(value -> collect(value, secrets));
            case null, default -> {}
        }
    }

    private static @Nullable Object value(Record section, RecordComponent component) {
        try {
            return component.getAccessor().invoke(section);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("The settings are public records.", impossible);
        }
    }
}
