package dev.toolgate.bench.load;

import dev.toolgate.core.identity.Principal;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.Database;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.NewKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;

/**
 * Starts a gate with 1,000 agents and 200 tools, and has a browser measure its console. The first argument is the script
 * that does so, the second the folder of the built console, the third the browser.
 */
final class ConsoleBudgets {
    private ConsoleBudgets() {}

    public static void main(String[] args) throws Exception {
        try (TemporaryPostgres postgres = TemporaryPostgres.start();
                Database database = Database.open(postgres.home(), postgres.url())) {
            permissions(database.jdbi());
            String key = new ApiKeys(database.jdbi(), _ -> {})
                    .create(NewKey.of(Principal.FIRST_TENANT, "admin", null, "bench", null, "bench"))
                    .text();
            Path home = Files.createDirectories(postgres.home().resolve("gate"));
            ServerSettings settings = ServerSettings.load(
                    null, Map.of(), Map.of("home", home.toString(), "ports", "0", "database.url", postgres.url()));
            try (ToolgateServer gate = ToolgateServer.start(settings, List.of())) {
                measure(gate.url(), key, args);
            }
        }
    }

    private static void permissions(Jdbi jdbi) {
        jdbi.useHandle(handle -> {
            handle.execute("SELECT setseed(0.5)");
            handle.execute("""
                    INSERT INTO agents (tenant_id, agent_id, name)
                    SELECT 'default', 'agent_' || n, 'Agent ' || n FROM generate_series(1, 1000) n""");
            handle.execute("INSERT INTO agent_groups SELECT 'default', 'group_' || n FROM generate_series(1, 25) n");
            handle.execute("""
                    INSERT INTO agent_group_members (tenant_id, group_id, agent_id)
                    SELECT 'default', 'group_' || (1 + floor(random() * 25)), agent_id FROM agents, generate_series(1, 2)
                    WHERE tenant_id = 'default' ON CONFLICT DO NOTHING""");
            handle.execute("""
                    INSERT INTO group_tool_permissions (tenant_id, group_id, tool_name, allowed, requires_approval)
                    SELECT 'default', group_id, 'tool_' || n, random() < 0.9, false FROM agent_groups, generate_series(1, 179) n
                    WHERE tenant_id = 'default' AND random() < 0.3""");
            handle.execute("""
                    INSERT INTO agent_tool_permissions
                        (tenant_id, agent_id, tool_name, allowed, requires_approval, condition, max_uses)
                    SELECT 'default', agent_id, 'tool_' || n, true, random() < 0.3,
                        CASE WHEN random() < 0.3 THEN 'operation == ''read''' END, CASE WHEN random() < 0.2 THEN 5 END
                    FROM agents, generate_series(1, 179) n WHERE tenant_id = 'default' AND random() < 0.05""");
        });
    }

    private static void measure(String url, String key, String[] args) throws IOException, InterruptedException {
        ProcessBuilder script = new ProcessBuilder("node", args[0]).inheritIO();
        script.environment()
                .putAll(Map.of(
                        "TOOLGATE_URL", url, "TOOLGATE_KEY", key, "CONSOLE_FILES", args[1], "CHROMIUM", args[2]));
        if (script.start().waitFor() != 0) {
            throw new IOException("The browser could not measure the console.");
        }
    }
}
