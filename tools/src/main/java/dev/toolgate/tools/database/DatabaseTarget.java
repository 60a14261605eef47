package dev.toolgate.tools.database;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A database somebody may ask, and how much of it.
 *
 * @param passwordName the name of the secret that is the password; {@code null} if none is needed
 * @param maxBytes the largest answer, written as CSV
 * @param connections the most at once
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
        /** Those that could do harm even in a transaction that only reads are refused. */
        HARMLESS,
        /** Any. */
        ANY
    }
}
