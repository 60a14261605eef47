package dev.toolgate.store.grant;

import dev.toolgate.core.call.TenantId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** The permission version of every tenant that has been asked about, kept fresh. */
final class PermissionVersions {
    private final Map<TenantId, VersionCell> tenants = new ConcurrentHashMap<>();
    private final DataSource dataSource;

    PermissionVersions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** The version of a tenant's permissions, at most half a second old. */
    long current(TenantId tenant) {
        return cell(tenant).current(() -> ask(tenant));
    }

    /** Somebody says that a tenant's permissions have changed. */
    void changed(TenantId tenant) {
        VersionCell known = tenants.get(tenant);
        if (known != null) {
            known.changed();
        }
    }

    /** A question about the permissions was answered at this version. */
    void saw(TenantId tenant, long version, long askedAt) {
        cell(tenant).saw(version, askedAt);
    }

    /** Brings every known tenant up to date with one question. */
    void refresh(Connection connection) throws SQLException {
        Object[] known = tenants.keySet().stream().map(TenantId::value).toArray();
        if (known.length == 0) {
            return;
        }
        long askedAt = System.nanoTime();
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT t.tenant_id, coalesce(v.version, 0) FROM unnest(?) AS t (tenant_id)
                LEFT JOIN permission_versions v USING (tenant_id)""")) {
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
        return known != null ? known : tenants.computeIfAbsent(tenant, _ -> new VersionCell());
    }

    private long ask(TenantId tenant) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement query =
                        connection.prepareStatement("SELECT version FROM permission_versions WHERE tenant_id = ?")) {
            query.setString(1, tenant.value());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException unanswered) {
            throw new StaleGrants("The database cannot say whether the permissions have changed.", unanswered);
        }
    }
}
