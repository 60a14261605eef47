package dev.toolgate.store.version;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.connection.PromptConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** The version of every tenant that has been asked about, kept fresh. */
public final class Versions implements AutoCloseable {
    /** Less than half of the age at which a version is asked for again. */
    private static final Duration REFRESH = Duration.ofMillis(200);

    private final Map<TenantId, VersionCell> tenants = new ConcurrentHashMap<>();
    private final VersionTable table;
    private final DataSource checks;
    private final DatabaseListener.Subscription watching;

    /**
     * Watches a table.
     *
     * @param connections one of them listens
     */
    public Versions(VersionTable table, Connections connections) {
        this.table = table;
        this.checks = connections.checks();
        this.watching = connections.listener().subscribe(new TableWatcher());
    }

    /**
     * The version of a tenant, at most half a second old.
     *
     * @throws Unavailable if it cannot be had
     */
    public long current(TenantId tenant) {
        return cell(tenant).current(() -> ask(tenant));
    }

    /** Somebody says that there was a change; the next question looks at the database first. */
    public void changed(TenantId tenant) {
        VersionCell known = tenants.get(tenant);
        if (known != null) {
            known.changed();
        }
    }

    /**
     * A question was answered at this version.
     *
     * @param askedAt when the question was put, by {@link System#nanoTime()}
     */
    public void saw(TenantId tenant, long version, long askedAt) {
        cell(tenant).saw(version, askedAt);
    }

    /** From now on every change is found by asking, as if no notification ever arrived. */
    public void stopWatching() {
        watching.close();
    }

    /**
     * Keeps versions fresh, so that callers find them in memory. What it misses is found by the next caller: it makes
     * answers quick, it does not make them right.
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
        public void look(Connection connection) throws SQLException {
            refresh(connection);
        }
    }

    /** Brings every known tenant up to date with one question. */
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
                    saw(new TenantId(rows.getString(1)), rows.getLong(2), askedAt);
                }
            }
        }
    }

    private VersionCell cell(TenantId tenant) {
        VersionCell known = tenants.get(tenant);
        return known != null ? known : tenants.computeIfAbsent(tenant, _ -> new VersionCell(table.subject()));
    }

    private long ask(TenantId tenant) {
        try (Connection connection = PromptConnection.from(checks);
                PreparedStatement query =
                        connection.prepareStatement("SELECT version FROM " + table.name() + " WHERE tenant_id = ?")) {
            query.setString(1, tenant.value());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException unanswered) {
            throw new Unavailable(
                    "The database cannot say whether the " + table.subject() + " have changed.", unanswered);
        }
    }

    @Override
    public void close() {
        watching.close();
    }
}
