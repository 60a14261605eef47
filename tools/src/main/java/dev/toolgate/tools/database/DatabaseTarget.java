package dev.toolgate.tools.database;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A configured database and the limits of its queries.
 *
 * @param passwordName the name of the secret that holds the password; {@code null} if none is needed
 * @param maxBytes the maximum size of a result as CSV
 * @param connections the maximum number of connections
 */
public record DatabaseTarget(
        TargetUrl url,
        @Nullable String user,
        @Nullable String passwordName,
        int maxRows,
        long maxBytes,
        Duration timeout,
        int connections,
        Accounts accounts) {

    /** Which accounts are accepted. */
    public enum Accounts {
        /** Refuses accounts with privileges that are dangerous even in a read-only transaction. */
        HARMLESS,
        /** Accepts any account. */
        ANY
    }
}
