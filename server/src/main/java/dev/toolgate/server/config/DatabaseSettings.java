package dev.toolgate.server.config;

import org.jspecify.annotations.Nullable;

/** Which database to use; without a URL, one of our own in the data folder. */
public record DatabaseSettings(
        @Setting(
                value = "An external PostgreSQL, as postgresql://user:password@host:5432/database.",
                env = "DATABASE_URL")
        @Nullable
        Secret url) {}
