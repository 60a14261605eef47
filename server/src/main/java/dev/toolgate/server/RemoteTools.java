package dev.toolgate.server;

import dev.toolgate.core.port.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.store.Database;
import java.util.ArrayList;
import java.util.List;

/** The tools that work with something beyond the workspace: what they are configured with, and what they share. */
final class RemoteTools {
    private RemoteTools() {}

    static List<Tool<?>> of(ServerSettings settings, Secrets secrets, Database database, Closing closing) {
        List<Tool<?>> tools = new ArrayList<>();
        return tools;
    }
}
