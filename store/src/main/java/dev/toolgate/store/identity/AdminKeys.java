package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The keys that nobody asked for through the API: of the setting, and of the data folder. */
public final class AdminKeys {
    private static final TenantId FIRST_TENANT = new TenantId("default");
    /** Part of a key that a person made up would be too much of it. */
    private static final String NO_PREFIX = "(setting)";

    private final Statements statements;

    public AdminKeys(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Makes this a key of the setting; a former one that no running gate has ends. What is known of it, which may be that
     * it was revoked.
     */
    public ApiKey ofSetting(String text) {
        SecretDigest digest = SecretDigest.of(text);
        return statements.runTogether(handle -> {
            hold(handle);
            endUnused(handle, digest);
            return find(handle, digest)
                    .orElseGet(() -> ApiKeys.insert(handle, admin(), digest, NO_PREFIX, Origin.SETTING, null));
        });
    }

    /** This gate has no setting, so the key of a former one ends; a key that another running gate has does not. */
    public void noSetting() {
        statements.runTogether(handle -> {
            hold(handle);
            return endUnused(handle, null);
        });
    }

    // Whoever can take the lock of a gate knows that it is gone.
    private static int endUnused(Handle handle, @Nullable SecretDigest mine) {
        return handle.createUpdate("""
                        DELETE FROM api_keys k
                        WHERE origin = 'setting' AND revoked_at IS NULL AND k.key_hash IS DISTINCT FROM :mine
                          AND NOT EXISTS (SELECT FROM instances g
                              WHERE g.setting_key = k.key_hash AND NOT pg_try_advisory_xact_lock(21609, g.number))""")
                .bind("mine", mine == null ? null : mine.bytes())
                .execute();
    }

    /** Makes this a key; one that is known already stays as it is. */
    public ApiKey ofHome(String text) {
        SecretDigest digest = SecretDigest.of(text);
        return statements.runTogether(handle -> {
            hold(handle);
            return find(handle, digest)
                    .orElseGet(() -> ApiKeys.insert(handle, admin(), digest, ApiKeys.prefix(text), Origin.HOME, null));
        });
    }

    /**
     * Revokes every key that was made for a data folder, and ends what was logged in with one.
     *
     * @return how many there were
     */
    public int endOfHome(String by) {
        return statements.runTogether(handle -> {
            hold(handle);
            handle.execute("""
                    DELETE FROM console_sessions USING api_keys k
                    WHERE console_sessions.key_id = k.key_id AND k.origin = 'home'""");
            return handle.createUpdate("""
                            UPDATE api_keys SET revoked_at = CURRENT_TIMESTAMP, revoked_by = :by
                            WHERE origin = 'home' AND revoked_at IS NULL""").bind("by", by).execute();
        });
    }

    // Two servers that start at the same time take turns.
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
        return new NewKey(FIRST_TENANT, "admin", null, "admin", null, "toolgate");
    }
}
