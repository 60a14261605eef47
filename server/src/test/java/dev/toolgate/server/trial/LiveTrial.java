package dev.toolgate.server.trial;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A whole server in this process, the database behind it, and tools that count. */
final class LiveTrial implements AutoCloseable {
    final TrialTool look = TrialTool.reading("look", (_, _) -> Output.text("seen"));
    final TrialTool note = TrialTool.changing("note", (request, _) -> Output.text("noted " + request));
    final Path home;
    final ToolgateServer server;
    final Client admin;
    final Trial trial;

    private LiveTrial(Path home, DatabaseUrl serversWay, DatabaseUrl ourWay, Map<String, String> options)
            throws IOException {
        this.home = home;
        ServerSettings settings = ServerSettings.load(null, Trial.environment(home, serversWay), options);
        List<Tool<?>> tools = List.of(look, note);
        this.server = ToolgateServer.start(settings, tools);
        this.admin = new Client(server.url(), Trial.ADMIN_KEY);
        this.trial = Trial.on(ourWay);
    }

    static LiveTrial start(Path home) throws Exception {
        return start(home, Map.of());
    }

    static LiveTrial start(Path home, Map<String, String> options) throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        return new LiveTrial(home, url, url, options);
    }

    /** The server reaches its database by a cable. */
    static LiveTrial start(Path home, DatabaseUrl database, Cable cable) throws IOException {
        return new LiveTrial(home, cable.to(database), database, Map.of());
    }

    @Override
    public void close() throws IOException {
        trial.close();
        server.close();
    }
}
