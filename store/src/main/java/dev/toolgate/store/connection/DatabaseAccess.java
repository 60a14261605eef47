package dev.toolgate.store.connection;

import org.jspecify.annotations.Nullable;

/**
 * As whom the database is used for what.
 *
 * @param gate for everything that calls need; a role of its own can add audit records and neither change nor delete them
 * @param owner brings the tables up to date
 * @param retention removes audit records whose time is over
 */
public record DatabaseAccess(DatabaseUrl gate, DatabaseUrl owner, DatabaseUrl retention) {

    /** One role for everything. */
    public static DatabaseAccess single(DatabaseUrl url) {
        return new DatabaseAccess(url, url, url);
    }

    /**
     * Reads the settings.
     *
     * @param owner the setting {@code database.owner_url}; {@code null} for the same role
     * @param retention the setting {@code database.retention_url}; {@code null} for the owner
     * @throws IllegalArgumentException with one sentence that says what is wrong
     */
    public static DatabaseAccess of(String gate, @Nullable String owner, @Nullable String retention) {
        DatabaseUrl url = DatabaseUrl.parse(gate);
        DatabaseUrl owning = owner == null || owner.isBlank() ? url : DatabaseUrl.parse(owner);
        return new DatabaseAccess(
                url, owning, retention == null || retention.isBlank() ? owning : DatabaseUrl.parse(retention));
    }
}
