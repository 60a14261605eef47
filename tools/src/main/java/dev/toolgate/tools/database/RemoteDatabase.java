package dev.toolgate.tools.database;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of a database for {@code cloud_db_query}. */
public record RemoteDatabase(
        @Setting(
                value = "Its URL, without a password: postgresql://host:5432/name or mariadb://host:3306/name.",
                minLength = 1)
        String url,

        @Setting("The account to log in with; it should have read access only.") @Nullable
        String user,

        @Setting("The name of the secret that holds the account's password.") @Nullable
        String password,

        @Setting(value = "The maximum number of rows of one result.", defaultValue = "1000", min = "1", max = "1000000")
        int maxRows,

        @Setting(value = "The maximum size of one result.", defaultValue = "10MB", min = "1KB", max = "1024MB")
        ByteSize maxBytes,

        @Setting(value = "The maximum duration of a query.", defaultValue = "30s", min = "1s", max = "10m")
        Duration timeout,

        @Setting(value = "The maximum number of connections.", defaultValue = "4", min = "1", max = "100")
        int connections,

        @Setting(
                value = "Whether an account with more than read access is accepted, for example a superuser.",
                defaultValue = "false")
        boolean allowPowerfulAccount) {}
