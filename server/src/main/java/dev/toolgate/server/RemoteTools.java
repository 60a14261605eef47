package dev.toolgate.server;

import dev.toolgate.core.port.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.remote.ConfiguredBuilds;
import dev.toolgate.server.remote.ConfiguredDatabases;
import dev.toolgate.server.remote.ConfiguredVaults;
import dev.toolgate.store.Database;
import dev.toolgate.tools.build.RemoteBuildTool;
import dev.toolgate.tools.database.CloudDbQueryTool;
import dev.toolgate.tools.vault.VaultReadTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tools that work with something beyond the workspace: what they are configured with, and what they share. */
final class RemoteTools {
    private RemoteTools() {}

    static List<Tool<?>> of(ServerSettings settings, Secrets secrets, Database database, Closing closing) {
        Map<String, String> environment = System.getenv();
        List<Tool<?>> tools = new ArrayList<>();
        tools.add(closing.after(new CloudDbQueryTool(
                new ConfiguredDatabases(settings.databases(), environment),
                secrets,
                settings.home().resolve("runtime").resolve("queries"))));
        tools.add(new VaultReadTool(new ConfiguredVaults(settings.vaults(), environment), secrets));
        tools.add(new RemoteBuildTool(new ConfiguredBuilds(settings.builds()), secrets));
        return tools;
    }
}
