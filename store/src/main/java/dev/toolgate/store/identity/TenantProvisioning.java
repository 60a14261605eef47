package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.directory.Tenants;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/** Creates a tenant together with the key of its first admin, in one transaction. */
public final class TenantProvisioning {
    private final Statements statements;
    private final Tenants tenants;
    private final ApiKeys keys;

    /**
     * @param jdbi must be the same that the other arguments use, so that their statements share one transaction
     */
    public TenantProvisioning(Jdbi jdbi, Tenants tenants, ApiKeys keys) {
        this.statements = new Statements(jdbi);
        this.tenants = tenants;
        this.keys = keys;
    }

    /** Creates a tenant; empty if the id is already in use. */
    public Optional<CreatedKey> create(TenantId tenant, String name, String by) {
        return statements.inTransaction(_ -> tenants.create(tenant, name)
                ? Optional.of(keys.create(NewKey.of(tenant, "admin", null, "first admin", null, by)))
                : Optional.empty());
    }
}
