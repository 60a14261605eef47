package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.connection.ConnectionPermits;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.PromptConnection;
import dev.toolgate.store.version.VersionTable;
import dev.toolgate.store.version.Versions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Keys by their digest, answered from memory. What is in memory counts only while the version of its
 * tenant's keys is known to be the same, at most half a second ago. Only keys that exist are kept,
 * so guessing fills no memory, and only a few are looked up at a time, so it leaves the database to others.
 */
public final class VerifiedKeys implements AutoCloseable {
    private static final int MOST_KEYS = 100_000;
    private static final int LOOKUPS_AT_ONCE = 6;

    // One statement, so that the version and the key are of the same moment.
    private static final String LOAD = "SELECT coalesce(v.version, 0) AS version, " + KeyRows.COLUMNS
            + "FROM api_keys k LEFT JOIN key_versions v USING (tenant_id) WHERE k.key_hash = ?";

    private final Map<SecretDigest, Held> keys = new ConcurrentHashMap<>();
    private final ConnectionPermits lookups = new ConnectionPermits(LOOKUPS_AT_ONCE, "keys");
    private final DataSource pool;
    private final Versions versions;
    private final KeyUse use;

    /**
     * @param connections one is kept for listening
     */
    public VerifiedKeys(Connections connections) {
        this.pool = connections.pool();
        this.versions = new Versions(VersionTable.KEYS, connections);
        this.use = new KeyUse(pool);
    }

    /**
     * The key, if it is in memory and known to be current.
     *
     * @throws Unavailable if it is in memory and nobody can say whether it is current
     */
    public Optional<ApiKey> inMemory(SecretDigest digest) {
        Held held = keys.get(digest);
        return held != null && held.version() >= versions.current(held.key().tenant())
                ? Optional.of(held.key())
                : Optional.empty();
    }

    /**
     * The key with this digest.
     *
     * @throws Unavailable if it cannot be looked up now
     */
    public Optional<ApiKey> find(SecretDigest digest) {
        Optional<ApiKey> held = inMemory(digest);
        return held.isPresent() ? held : lookUp(digest);
    }

    /** Notes that a key was used, some time soon. */
    public void used(ApiKey key) {
        use.of(key.id());
    }

    /** Makes the next question about keys of this tenant look at the database first. */
    public void changed(TenantId tenant) {
        versions.changed(tenant);
    }

    private Optional<ApiKey> lookUp(SecretDigest digest) {
        return lookups.take(() -> {
            Optional<ApiKey> meanwhile = inMemory(digest);
            return meanwhile.isPresent() ? meanwhile : load(digest);
        });
    }

    private Optional<ApiKey> load(SecretDigest digest) {
        long askedAt = System.nanoTime();
        try (Connection connection = PromptConnection.from(pool);
                PreparedStatement query = connection.prepareStatement(LOAD)) {
            query.setBytes(1, digest.bytes());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(keep(digest, row, askedAt)) : Optional.empty();
            }
        } catch (SQLException unanswered) {
            throw new Unavailable("The database cannot say whose key this is.", unanswered);
        }
    }

    private ApiKey keep(SecretDigest digest, ResultSet row, long askedAt) throws SQLException {
        Held loaded = new Held(row.getLong("version"), KeyRows.read(row));
        versions.saw(loaded.key().tenant(), loaded.version(), askedAt);
        if (keys.size() >= MOST_KEYS) {
            keys.clear(); // rare, and everything can be read again
        }
        keys.put(digest, loaded);
        return loaded.key();
    }

    int heldInMemory() {
        return keys.size();
    }

    /** From now on every change is found by asking, as if no notification ever arrived. */
    public void stopWatching() {
        versions.stopWatching();
    }

    @Override
    public void close() {
        use.close();
        versions.close();
    }

    private record Held(long version, ApiKey key) {}
}
