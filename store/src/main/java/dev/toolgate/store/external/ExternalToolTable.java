package dev.toolgate.store.external;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.grant.UnknownTarget;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import tools.jackson.databind.node.ObjectNode;

/** The registered external tools of all tenants; every change notifies all instances. */
public final class ExternalToolTable {
    /** The maximum number of external tools of a tenant. */
    public static final int MAX_TOOLS = 500;

    private static final String COLUMNS = "name, description, input_schema, capability, danger";

    private final Statements statements;

    public ExternalToolTable(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Registers a tool, in place of one with the same name.
     *
     * @throws UnknownTarget if the tenant does not exist
     * @throws IllegalArgumentException if the tenant has too many tools
     */
    public void put(TenantId tenant, ExternalDefinition tool, String by) {
        statements.inTransaction(handle -> {
            lockTenant(handle, tenant);
            if (find(handle, tenant, tool.name()).isEmpty()) {
                checkNumber(handle, tenant);
            }
            return handle.createUpdate("""
                            INSERT INTO external_tools
                                (tenant_id, name, description, input_schema, capability, danger, updated_by)
                            VALUES (:tenant, :name, :description, :schema, :capability, :danger, :by)
                            ON CONFLICT (tenant_id, name) DO UPDATE SET description = excluded.description,
                                input_schema = excluded.input_schema, capability = excluded.capability,
                                danger = excluded.danger, updated_at = now(), updated_by = excluded.updated_by""")
                    .bind("tenant", tenant.value())
                    .bind("name", tool.name())
                    .bind("description", tool.description())
                    .bind("schema", tool.inputSchema().toString())
                    .bind("capability", tool.capability())
                    .bind("danger", tool.danger().wireName())
                    .bind("by", by)
                    .execute();
        });
    }

    /** Removes a tool; false if there is none. Permits that were granted for it can still be reported. */
    public boolean remove(TenantId tenant, String name) {
        return statements.run(handle -> handle.createUpdate(
                                "DELETE FROM external_tools WHERE tenant_id = :tenant AND name = :name")
                        .bind("tenant", tenant.value())
                        .bind("name", name)
                        .execute())
                == 1;
    }

    public Optional<ExternalDefinition> find(TenantId tenant, String name) {
        return statements.run(handle -> find(handle, tenant, name));
    }

    /** The tools of a tenant, by name. */
    public List<ExternalDefinition> all(TenantId tenant) {
        return statements.run(handle -> handle.createQuery("SELECT " + COLUMNS
                        + " FROM external_tools WHERE tenant_id = :tenant ORDER BY name COLLATE \"C\"")
                .bind("tenant", tenant.value())
                .map((row, _) -> read(row))
                .list());
    }

    /** The tenants that have tools. */
    public List<TenantId> tenants() {
        return statements.run(handle -> handle.createQuery("SELECT DISTINCT tenant_id FROM external_tools")
                .map((row, _) -> new TenantId(row.getString(1)))
                .list());
    }

    private static Optional<ExternalDefinition> find(Handle handle, TenantId tenant, String name) {
        return handle.createQuery(
                        "SELECT " + COLUMNS + " FROM external_tools WHERE tenant_id = :tenant AND name = :name")
                .bind("tenant", tenant.value())
                .bind("name", name)
                .map((row, _) -> read(row))
                .findOne();
    }

    private static ExternalDefinition read(ResultSet row) throws SQLException {
        return new ExternalDefinition(
                row.getString("name"),
                row.getString("description"),
                (ObjectNode) Json.MAPPER.readTree(row.getString("input_schema")),
                row.getString("capability"),
                Danger.valueOf(row.getString("danger").toUpperCase(Locale.ROOT)));
    }

    // One change at a time, so that two at once cannot exceed the maximum.
    private static void lockTenant(Handle handle, TenantId tenant) {
        var _ = handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant FOR NO KEY UPDATE")
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .findOne()
                .orElseThrow(() -> new UnknownTarget("tenant", tenant.value()));
    }

    private static void checkNumber(Handle handle, TenantId tenant) {
        int present = handle.createQuery("SELECT count(*) FROM external_tools WHERE tenant_id = :tenant")
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .one();
        if (present >= MAX_TOOLS) {
            throw new IllegalArgumentException(
                    "A tenant can have at most " + MAX_TOOLS + " external tools; remove one first.");
        }
    }
}
