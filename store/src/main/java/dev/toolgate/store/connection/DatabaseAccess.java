package dev.toolgate.store.connection;

import org.jspecify.annotations.Nullable;

/**
 * The database roles, by purpose.
 *
 * @param gate for everything that calls need; if it is a separate role, it cannot update or delete audit records
 * @param owner runs migrations
 * @param retention deletes expired audit records
 */
public record DatabaseAccess(DatabaseUrl gate, DatabaseUrl owner, DatabaseUrl retention) {

    /** One role for everything. */
    public static DatabaseAccess single(DatabaseUrl url) {
        return new DatabaseAccess(url, url, url);
    }

    /**
     * Parses the settings.
     *
     * @param owner the setting {@code database.owner_url}; {@code null} for the same role
     * @param retention the setting {@code database.retention_url}; {@code null} for the owner
     * @throws IllegalArgumentException if one is invalid; its message is one sentence for the user
     */
    public static DatabaseAccess of(String gate, @Nullable String owner, @Nullable String retention) {
        DatabaseUrl url = DatabaseUrl.parse(gate);
        DatabaseUrl owning = owner == null || owner.isBlank() ? url : DatabaseUrl.parse(owner);
        return new DatabaseAccess(
                url, owning, retention == null || retention.isBlank() ? owning : DatabaseUrl.parse(retention));
    }
}
