package dev.toolgate.store.policy;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.PoliciesContract;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresPoliciesTest extends PoliciesContract {
    private Database database;
    private PostgresPolicies policies;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        database.jdbi()
                .useHandle(handle -> handle.execute(
                        "INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')"));
        policies = new PostgresPolicies(database.jdbi());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Override
    protected Policies policies() {
        return policies;
    }

    @Override
    protected void put(PolicyBundle bundle) {
        policies.put(bundle);
    }

    @Override
    protected void end(TenantId tenant, SessionId session) {
        policies.end(tenant, session);
    }
}
