package dev.toolgate.server;

import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.server.config.Secret;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.store.DatabaseUrl;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is kept out of the record: secrets by their look, and the server's own by their value. */
final class Redaction {
    private Redaction() {}

    /** For the record, as the settings want it. */
    static Redactor of(ServerSettings settings, KnownSecrets handedOut) {
        return settings.redaction().enabled()
                ? ofLogs(settings, handedOut)
                : Redactor.knowingOnly().knowing(ownSecrets(settings)).following(handedOut);
    }

    /** For logs, where secrets never belong, whatever the settings say about the record. */
    static Redactor ofLogs(ServerSettings settings, KnownSecrets handedOut) {
        return Redactor.standard()
                .alsoHiding(settings.redaction().keys(), settings.redaction().patterns())
                .knowing(ownSecrets(settings))
                .following(handedOut);
    }

    private static Set<String> ownSecrets(ServerSettings settings) {
        Set<String> own = new HashSet<>();
        add(own, settings.auth().adminKey());
        add(own, settings.auth().jwt().secret());
        add(own, settings.artifacts().secretAccessKey());
        Secret url = settings.database().url();
        if (url != null) {
            own.add(DatabaseUrl.parse(url.value()).password());
        }
        own.removeIf(String::isBlank);
        return own;
    }

    private static void add(Set<String> own, @Nullable Secret secret) {
        if (secret != null) {
            own.add(secret.value());
        }
    }
}
