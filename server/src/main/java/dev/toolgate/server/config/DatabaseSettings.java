package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.store.connection.DatabaseAccess;
import org.jspecify.annotations.Nullable;

/** Settings of the database; without a URL, an embedded one in the data folder. */
public record DatabaseSettings(
        @Setting(
                value = "An external PostgreSQL, as postgresql://user:password@host:5432/database.",
                env = "DATABASE_URL")
        @Nullable
        Secret url,

        @Setting(
                value = "The same database with the role that owns and migrates the tables; url if not set.",
                env = "DATABASE_OWNER_URL")
        @Nullable
        Secret ownerUrl,

        @Setting(
                value = "The same database with the role that deletes old audit records; owner_url if not set.",
                env = "DATABASE_RETENTION_URL")
        @Nullable
        Secret retentionUrl) {

    public DatabaseSettings {
        if (url == null && (ownerUrl != null || retentionUrl != null)) {
            throw new IllegalArgumentException("url: must be set together with owner_url and retention_url");
        }
    }

    /** The roles for an external database; {@code null} for the embedded one. */
    public @Nullable DatabaseAccess access() {
        return url == null || url.value().isBlank()
                ? null
                : DatabaseAccess.of(
                        url.value(),
                        ownerUrl == null ? null : ownerUrl.value(),
                        retentionUrl == null ? null : retentionUrl.value());
    }
}
