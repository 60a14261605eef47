package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.connection.ConnectionPermits;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.ShortTimeoutConnection;
import dev.toolgate.store.version.TenantVersions;
import dev.toolgate.store.version.VersionTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Caches keys by digest. A cached key is used only if the version of its
 * tenant's keys was confirmed at most half a second ago. Only existing keys are cached,
 * so guessed keys use no memory, and lookups are limited, so that they do not exhaust the connections.
 */
public final class KeyCache implements AutoCloseable {
    private static final int MAX_KEYS = 100_000;
    private static final int MAX_CONCURRENT_LOOKUPS = 6;

    // One statement, so that version and key are of the same snapshot.
    private static final String LOAD = "SELECT coalesce(v.version, 0) AS version, " + KeyRows.COLUMNS
            + "FROM api_keys k LEFT JOIN key_versions v USING (tenant_id) WHERE k.key_hash = ?";

    private final Map<SecretDigest, Cached> keys = new ConcurrentHashMap<>();
    private final ConnectionPermits lookups = new ConnectionPermits(MAX_CONCURRENT_LOOKUPS, "keys");
    private final DataSource pool;
    private final TenantVersions versions;
    private final KeyUsage usage;

    /**
     * @param connections for lookups, version checks and change notifications
     */
    public KeyCache(Connections connections) {
        this.pool = connections.pool();
        this.versions = new TenantVersions(VersionTable.KEYS, connections);
        this.usage = new KeyUsage(pool);
    }

    /**
     * The key, if it is cached and current.
     *
     * @throws Unavailable if it is cached and its version cannot be checked
     */
    public Optional<ApiKey> inMemory(SecretDigest digest) {
        Cached cached = keys.get(digest);
        return cached != null
                        && cached.version() >= versions.current(cached.key().tenant())
                ? Optional.of(cached.key())
                : Optional.empty();
    }

    /**
     * The key with this digest.
     *
     * @throws Unavailable if the database cannot be reached
     */
    public Optional<ApiKey> find(SecretDigest digest) {
        Optional<ApiKey> cached = inMemory(digest);
        return cached.isPresent() ? cached : lookUp(digest);
    }

    /** Records in the background that a key was used. */
    public void used(ApiKey key) {
        usage.record(key.id());
    }

    /** Makes the next lookup for this tenant check the version in the database. */
    public void changed(TenantId tenant) {
        versions.changed(tenant);
    }

    private Optional<ApiKey> lookUp(SecretDigest digest) {
        return lookups.withPermit(() -> {
            Optional<ApiKey> cached = inMemory(digest); // another caller may have loaded it
            return cached.isPresent() ? cached : load(digest);
        });
    }

    private Optional<ApiKey> load(SecretDigest digest) {
        long askedAt = System.nanoTime();
        try (Connection connection = ShortTimeoutConnection.from(pool);
                PreparedStatement query = connection.prepareStatement(LOAD)) {
            query.setBytes(1, digest.bytes());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(keep(digest, row, askedAt)) : Optional.empty();
            }
        } catch (SQLException unanswered) {
            throw new Unavailable("The key cannot be checked now; try again shortly.", unanswered);
        }
    }

    private ApiKey keep(SecretDigest digest, ResultSet row, long askedAt) throws SQLException {
        Cached loaded = new Cached(row.getLong("version"), KeyRows.read(row));
        versions.observe(loaded.key().tenant(), loaded.version(), askedAt);
        if (keys.size() >= MAX_KEYS) {
            keys.clear(); // rare; keys are loaded again on demand
        }
        keys.put(digest, loaded);
        return loaded.key();
    }

    int size() {
        return keys.size();
    }

    /** Stops listening, so that changes are found only by version checks; for tests. */
    public void stopWatching() {
        versions.stopWatching();
    }

    @Override
    public void close() {
        usage.close();
        versions.close();
    }

    private record Cached(long version, ApiKey key) {}
}
