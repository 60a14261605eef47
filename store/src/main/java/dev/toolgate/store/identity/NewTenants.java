package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.directory.Tenants;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/** Makes a tenant together with the key its first admin comes with: both or neither. */
public final class NewTenants {
    private final Statements statements;
    private final Tenants tenants;
    private final ApiKeys keys;

    /**
     * @param jdbi the same that the others work with, so that their statements become one transaction
     */
    public NewTenants(Jdbi jdbi, Tenants tenants, ApiKeys keys) {
        this.statements = new Statements(jdbi);
        this.tenants = tenants;
        this.keys = keys;
    }

    /** Makes a tenant; empty if there is one with this id already. */
    public Optional<MadeKey> create(TenantId tenant, String name, String by) {
        return statements.runTogether(_ -> tenants.create(tenant, name)
                ? Optional.of(keys.create(new NewKey(tenant, "admin", null, "first admin", null, by)))
                : Optional.empty());
    }
}
