package dev.toolgate.server.trial;

import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import java.nio.file.Path;
import java.util.Map;

/** The main class of a server with the trial tools. */
public final class TrialMain {
    static final String READY = "Toolgate ready at ";

    private TrialMain() {}

    public static void main(String[] arguments) throws Exception {
        ServerSettings settings = ServerSettings.load(null, System.getenv(), Map.of());
        ToolgateServer server = ToolgateServer.start(settings, TrialTool.writingTo(Path.of(arguments[0])));
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        System.out.println(READY + server.url());
    }
}
