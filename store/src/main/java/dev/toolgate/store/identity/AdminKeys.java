package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Statements;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The keys that nobody asked for through the API: of the setting, and of the data folder. */
public final class AdminKeys {
    private static final TenantId FIRST_TENANT = new TenantId("default");
    /** Part of a key that a person made up would be too much of it. */
    private static final String NO_PREFIX = "(setting)";

    private final Statements statements;

    public AdminKeys(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** Makes this the one key of the setting; the former one ends. What is known of it, which may be that it was revoked. */
    public ApiKey ofSetting(String text) {
        SecretDigest digest = SecretDigest.of(text);
        return statements.runTogether(handle -> {
            hold(handle);
            handle.createUpdate("""
                            DELETE FROM api_keys
                            WHERE origin = 'setting' AND revoked_at IS NULL AND key_hash <> :hash""").bind("hash", digest.bytes()).execute();
            return find(handle, digest)
                    .orElseGet(() -> ApiKeys.insert(handle, admin(), digest, NO_PREFIX, Origin.SETTING, null));
        });
    }

    /** There is no setting any more, so its key ends. */
    public void noSetting() {
        statements.run(
                handle -> handle.createUpdate("DELETE FROM api_keys WHERE origin = 'setting' AND revoked_at IS NULL")
                        .execute());
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
