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

/** A whole server in this process, its database, and tools that count their runs. */
final class LiveTrial implements AutoCloseable {
    final TrialTool look = TrialTool.reading("look", (_, _) -> Output.text("seen"));
    final TrialTool note = TrialTool.changing("note", (request, _) -> Output.text("noted " + request));
    final Path home;
    final ToolgateServer server;
    final Client admin;
    final TrialDatabase trial;

    private LiveTrial(Path home, DatabaseUrl serversWay, DatabaseUrl ourWay, Map<String, String> options)
            throws IOException {
        this.home = home;
        ServerSettings settings = ServerSettings.load(null, TrialDatabase.environment(home, serversWay), options);
        List<Tool<?>> tools = List.of(look, note);
        this.server = ToolgateServer.start(settings, tools);
        this.admin = new Client(server.url(), TrialDatabase.ADMIN_KEY);
        this.trial = TrialDatabase.on(ourWay);
    }

    static LiveTrial start(Path home) throws Exception {
        return start(home, Map.of());
    }

    static LiveTrial start(Path home, Map<String, String> options) throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        return new LiveTrial(home, url, url, options);
    }

    /** Starts a server that reaches its database through a proxy. */
    static LiveTrial start(Path home, DatabaseUrl database, DatabaseProxy cable) throws IOException {
        return new LiveTrial(home, cable.to(database), database, Map.of());
    }

    @Override
    public void close() throws IOException {
        trial.close();
        server.close();
    }
}
