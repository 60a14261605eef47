package dev.toolgate.tools.database;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A database that {@code cloud_db_query} may ask. */
public record RemoteDatabase(
        @Setting(
                value = "Where it is, without a password: postgresql://host:5432/name or mariadb://host:3306/name.",
                shortest = 1)
        String url,

        @Setting("The account to log in with; one that may only read.") @Nullable
        String user,

        @Setting("The name of the secret that is the account's password.") @Nullable
        String password,

        @Setting(value = "The most rows of one answer.", initial = "1000", least = "1", most = "1000000")
        int maxRows,

        @Setting(value = "The largest answer.", initial = "10MB", least = "1KB", most = "1024MB")
        ByteSize maxBytes,

        @Setting(value = "The longest a query may run.", initial = "30s", least = "1s", most = "10m")
        Duration timeout,

        @Setting(value = "The most connections at once.", initial = "4", least = "1", most = "100")
        int connections,

        @Setting(
                value = "Whether an account is accepted that may do more than read, for example a superuser.",
                initial = "false")
        boolean allowPowerfulAccount) {}
