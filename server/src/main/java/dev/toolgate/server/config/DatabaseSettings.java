package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.store.connection.DatabaseAccess;
import org.jspecify.annotations.Nullable;

/** Which database to use; without a URL, one of our own in the data folder. */
public record DatabaseSettings(
        @Setting(
                value = "An external PostgreSQL, as postgresql://user:password@host:5432/database.",
                env = "DATABASE_URL")
        @Nullable
        Secret url,

        @Setting(
                value =
                        "The same database with the role that owns the tables and brings them up to date; the role of url"
                                + " if not set.",
                env = "DATABASE_OWNER_URL")
        @Nullable
        Secret ownerUrl,

        @Setting(
                value =
                        "The same database with the role that removes old audit records; the role of owner_url if not set.",
                env = "DATABASE_RETENTION_URL")
        @Nullable
        Secret retentionUrl) {

    public DatabaseSettings {
        if (url == null && (ownerUrl != null || retentionUrl != null)) {
            throw new IllegalArgumentException("url: must be set together with owner_url and retention_url");
        }
    }

    /** As whom an external database is used for what; {@code null} for one of our own. */
    public @Nullable DatabaseAccess access() {
        return url == null || url.value().isBlank()
                ? null
                : DatabaseAccess.of(
                        url.value(),
                        ownerUrl == null ? null : ownerUrl.value(),
                        retentionUrl == null ? null : retentionUrl.value());
    }
}
