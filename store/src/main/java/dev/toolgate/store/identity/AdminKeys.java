package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Admin keys that are not created through the API: from the setting, and from the data folder. */
public final class AdminKeys {
    private static final TenantId FIRST_TENANT = new TenantId("default");
    /** Shown instead of a prefix, because a prefix would reveal part of a key chosen by a person. */
    private static final String NO_PREFIX = "(setting)";

    private final Statements statements;

    public AdminKeys(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Registers the key of the setting, and deletes former ones that no running gate uses. The returned key may have
     * been
     * revoked.
     */
    public ApiKey fromSetting(String text) {
        SecretDigest digest = SecretDigest.of(text);
        return statements.inTransaction(handle -> {
            hold(handle);
            endUnused(handle, digest);
            return find(handle, digest)
                    .orElseGet(() -> ApiKeys.insert(handle, admin(), digest, NO_PREFIX, Origin.SETTING, null));
        });
    }

    /** Deletes keys of the setting that no running gate uses; for a gate without the setting. */
    public void endSettingKeys() {
        statements.inTransaction(handle -> {
            hold(handle);
            return endUnused(handle, null);
        });
    }

    // Getting the lock of a gate proves that it is no longer running.
    private static int endUnused(Handle handle, @Nullable SecretDigest mine) {
        return handle.createUpdate("""
                        DELETE FROM api_keys k
                        WHERE origin = 'setting' AND revoked_at IS NULL AND k.key_hash IS DISTINCT FROM :mine
                          AND NOT EXISTS (SELECT FROM instances g
                              WHERE g.setting_key = k.key_hash AND NOT pg_try_advisory_xact_lock(21609, g.number))""")
                .bind("mine", mine == null ? null : mine.bytes())
                .execute();
    }

    /** Registers the key of the data folder, unless it exists. */
    public ApiKey fromHome(String text) {
        SecretDigest digest = SecretDigest.of(text);
        return statements.inTransaction(handle -> {
            hold(handle);
            return find(handle, digest)
                    .orElseGet(() -> ApiKeys.insert(handle, admin(), digest, ApiKeys.prefix(text), Origin.HOME, null));
        });
    }

    /**
     * Revokes all keys of data folders, and ends the console log-ins made with them.
     *
     * @return the number of revoked keys
     */
    public int revokeHomeKeys(String by) {
        return statements.inTransaction(handle -> {
            hold(handle);
            handle.execute("""
                    DELETE FROM console_sessions USING api_keys k
                    WHERE console_sessions.key_id = k.key_id AND k.origin = 'home'""");
            return handle.createUpdate("""
                            UPDATE api_keys SET revoked_at = CURRENT_TIMESTAMP, revoked_by = :by
                            WHERE origin = 'home' AND revoked_at IS NULL""").bind("by", by).execute();
        });
    }

    // Serializes servers that start at the same time.
    private static void hold(Handle handle) {
        handle.execute("SELECT 1 FROM tenants WHERE tenant_id = 'default' FOR NO KEY UPDATE");
    }

    private static Optional<ApiKey> find(Handle handle, SecretDigest digest) {
        return handle.createQuery("SELECT " + KeyRows.COLUMNS + "FROM api_keys k WHERE key_hash = :hash")
                .bind("hash", digest.bytes())
                .map((row, _) -> KeyRows.read(row))
                .findOne();
    }

    private static NewKey admin() {
        return NewKey.of(FIRST_TENANT, "admin", null, "admin", null, "toolgate");
    }
}
