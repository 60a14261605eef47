package dev.toolgate.cli.local;

import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code toolgate serve}: runs the server until it is stopped. */
@Command(name = "serve", description = "Start the server; the default command.", mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            split = ",",
            description = "The ports to listen on, the main port first; 0 picks a free one. Default: 8001,3001.")
    private List<String> ports = List.of();

    @Option(names = "--host", paramLabel = "ADDRESS", description = "The address to listen on; default: loopback.")
    private @Nullable String host;

    @Option(names = "--home", paramLabel = "FOLDER", description = "The data folder; default: ~/.toolgate.")
    private @Nullable String home;

    @Option(
            names = {"-w", "--workspace"},
            paramLabel = "FOLDER",
            description = "The workspace of the tools; default: a folder in the data folder.")
    private @Nullable String workspace;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The settings file; default: toolgate.yaml in the data folder.")
    private @Nullable Path config;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ServerSettings settings = ServerSettings.load(config, System.getenv(), options());
        PrintWriter out =
                spec == null ? StandardOutput.writer() : spec.commandLine().getOut();
        ToolgateServer server = ToolgateServer.start(settings, List.of());
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            stopped.countDown();
        }));
        out.println(StartupBanner.of(server, settings));
        out.flush();
        stopped.await();
        return 0;
    }

    private Map<String, String> options() {
        Map<String, String> options = new HashMap<>();
        if (!ports.isEmpty()) {
            options.put("ports", String.join(",", ports));
        }
        put(options, "host", host);
        put(options, "home", home);
        put(options, "workspace", workspace);
        return options;
    }

    private static void put(Map<String, String> options, String name, @Nullable String value) {
        if (value != null) {
            options.put(name, value);
        }
    }
}
