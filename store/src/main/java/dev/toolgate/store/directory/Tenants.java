package dev.toolgate.store.directory;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/** Creates and lists tenants. Tenants are never deleted, so existing ones are cached. */
public final class Tenants {
    private static final int MAX_PAGE_SIZE = 1000;

    private final Set<TenantId> seen = ConcurrentHashMap.newKeySet();
    private final Statements statements;

    public Tenants(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** Creates a tenant; false if it already exists. */
    public boolean create(TenantId tenant, String name) {
        TextLimits.check("tenant's name", name);
        return statements.run(handle -> handle.createUpdate(
                                "INSERT INTO tenants (tenant_id, name) VALUES (:tenant, :name) ON CONFLICT DO NOTHING")
                        .bind("tenant", tenant.value())
                        .bind("name", name)
                        .execute())
                > 0;
    }

    /**
     * The tenants, sorted by id.
     *
     * @param after the last tenant of the previous page, if any
     */
    public List<Tenant> list(@Nullable TenantId after, int limit) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT tenant_id, name, created_at FROM tenants WHERE tenant_id > :after
                        ORDER BY tenant_id LIMIT :limit""")
                .bind("after", after == null ? "" : after.value())
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .map(ConstructorMapper.of(Tenant.class))
                .list());
    }

    /** Whether the tenant exists. */
    public boolean exists(TenantId tenant) {
        if (seen.contains(tenant)) {
            return true;
        }
        boolean exists = statements.run(handle -> handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant")
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .findOne()
                .isPresent());
        if (exists) {
            seen.add(tenant);
        }
        return exists;
    }
}
