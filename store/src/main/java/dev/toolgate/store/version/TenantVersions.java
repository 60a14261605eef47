package dev.toolgate.store.version;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.connection.ShortTimeoutConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** The current versions of all tenants that were queried, kept fresh in the background. */
public final class TenantVersions implements AutoCloseable {
    /** Less than half of the maximum age of a version. */
    private static final Duration REFRESH = Duration.ofMillis(200);

    private final Map<TenantId, TenantVersion> tenants = new ConcurrentHashMap<>();
    private final VersionTable table;
    private final DataSource checks;
    private final DatabaseListener.Subscription watching;

    /**
     * Starts to watch a table.
     *
     * @param connections for queries and change notifications
     */
    public TenantVersions(VersionTable table, Connections connections) {
        this.table = table;
        this.checks = connections.checks();
        this.watching = connections.listener().subscribe(new TableWatcher());
    }

    /**
     * The version of a tenant, at most half a second old.
     *
     * @throws Unavailable if it cannot be queried
     */
    public long current(TenantId tenant) {
        return cell(tenant).current(() -> ask(tenant));
    }

    /** There was a change, so the next lookup queries the database. */
    public void changed(TenantId tenant) {
        TenantVersion known = tenants.get(tenant);
        if (known != null) {
            known.changed();
        }
    }

    /**
     * Stores a version that was read by another query.
     *
     * @param askedAt when the query was sent, by {@link System#nanoTime()}
     */
    public void observe(TenantId tenant, long version, long askedAt) {
        cell(tenant).observe(version, askedAt);
    }

    /** Stops listening, so that changes are found only by queries; for tests. */
    public void stopWatching() {
        watching.close();
    }

    /**
     * Refreshes versions, so that callers find them in memory. Only an optimization: if it misses a change, the next
     * caller queries the version.
     */
    private final class TableWatcher implements DatabaseListener.Watcher {
        @Override
        public String subject() {
            return "changes of " + table.subject();
        }

        @Override
        public String channel() {
            return table.channel();
        }

        @Override
        public Duration interval() {
            return REFRESH;
        }

        @Override
        public void notified(String tenant) {
            changed(new TenantId(tenant));
        }

        @Override
        public void poll(Connection connection) throws SQLException {
            refresh(connection);
        }
    }

    /** Refreshes all known tenants with one query. */
    private void refresh(Connection connection) throws SQLException {
        Object[] known = tenants.keySet().stream().map(TenantId::value).toArray();
        if (known.length == 0) {
            return;
        }
        long askedAt = System.nanoTime();
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT t.tenant_id, coalesce(v.version, 0) FROM unnest(?) AS t (tenant_id)
                LEFT JOIN %s v USING (tenant_id)""".formatted(table.name()))) {
            query.setArray(1, connection.createArrayOf("varchar", known));
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    observe(new TenantId(rows.getString(1)), rows.getLong(2), askedAt);
                }
            }
        }
    }

    private TenantVersion cell(TenantId tenant) {
        TenantVersion known = tenants.get(tenant);
        return known != null ? known : tenants.computeIfAbsent(tenant, _ -> new TenantVersion(table.subject()));
    }

    private long ask(TenantId tenant) {
        try (Connection connection = ShortTimeoutConnection.from(checks);
                PreparedStatement query =
                        connection.prepareStatement("SELECT version FROM " + table.name() + " WHERE tenant_id = ?")) {
            query.setString(1, tenant.value());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException unanswered) {
            throw new Unavailable("The " + table.subject() + " cannot be checked now; try again shortly.", unanswered);
        }
    }

    @Override
    public void close() {
        watching.close();
    }
}
