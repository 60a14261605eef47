package dev.toolgate.bench.decision;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An embedded PostgreSQL server in a temporary folder with the grants of a table; deleted when it is closed. */
record GrantDatabase(Path home, Database database) implements AutoCloseable {

    static GrantDatabase holding(GrantTable table, TenantId tenant) throws IOException {
        // Accessible to the database account, if run as root.
        Path home = Files.createTempDirectory("bench-postgres-");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        GrantDatabase stored = new GrantDatabase(home, Database.open(home, null));
        stored.fill(table, tenant);
        return stored;
    }

    private void fill(GrantTable table, TenantId tenant) {
        List<String> agents = new ArrayList<>();
        List<String> tools = new ArrayList<>();
        for (int agent = 0; agent < GrantTable.AGENTS; agent++) {
            String name = GrantTable.agent(agent);
            table.granted(agent).forEach(tool -> {
                agents.add(name);
                tools.add(GrantTable.tool(tool));
            });
        }
        database.jdbi().useTransaction(handle -> {
            handle.createUpdate("INSERT INTO agents (tenant_id, agent_id) SELECT DISTINCT :tenant, unnest(:agents)")
                    .bind("tenant", tenant.value())
                    .bindArray("agents", String.class, agents)
                    .execute();
            handle.createUpdate("""
                            INSERT INTO agent_tool_permissions (tenant_id, agent_id, tool_name, allowed)
                            SELECT :tenant, agent, tool, true FROM unnest(:agents, :tools) AS granted (agent, tool)""")
                    .bind("tenant", tenant.value())
                    .bindArray("agents", String.class, agents)
                    .bindArray("tools", String.class, tools)
                    .execute();
        });
        database.jdbi().useHandle(handle -> handle.execute("ANALYZE agent_tool_permissions"));
    }

    @Override
    public void close() throws IOException {
        database.close();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
