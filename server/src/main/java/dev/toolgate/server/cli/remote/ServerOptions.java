package dev.toolgate.server.cli.remote;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command that talks to a server. */
final class ServerOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where the server is; default: TOOLGATE_URL, else http://127.0.0.1:8001; https://localhost:8001 if"
                    + " TOOLGATE_TLS_CERT is set.")
    private @Nullable String url;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Certificates (PEM) to trust in place of the usual ones; default: TOOLGATE_CA, else the"
                    + " server's own in TOOLGATE_TLS_CERT.")
    private @Nullable Path ca;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The key to show; default: TOOLGATE_KEY, else admin.key in the data folder.")
    private @Nullable Path keyFile;

    @Option(names = "--json", description = "Print the server's answer as JSON.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** A connection as whoever the key belongs to. */
    Api api() throws IOException {
        return new Api(address(), key());
    }

    ServerAddress address() {
        return ServerAddress.of(url, ca);
    }

    Key key() throws IOException {
        return Key.find(keyFile);
    }

    /** A connection as nobody in particular. */
    Api withoutKey() throws IOException {
        return new Api(address(), null);
    }

    /** Where answers are printed. */
    Output output() {
        return new Output(out(), json ? Output.Form.JSON : Output.Form.TEXT);
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    PrintWriter err() {
        return command.commandLine().getErr();
    }
}
